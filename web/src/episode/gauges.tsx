// The gauges of a frame as bars, also for people who cannot see the board.
import { createEffect, Index } from "solid-js";
import { number } from "../lib/format";
import type { Gauge } from "../view";
import "./episode.css";

/** A bar whose width is a share of its box. */
export function Bar(props: { share: number; tone?: string }) {
  return (
    <span class="bar" aria-hidden="true">
      <span class={`bar-fill ${props.tone ?? ""}`} ref={(fill) => createEffect(() => (fill.style.width = `${Math.max(0, Math.min(1, props.share)) * 100}%`))} />
    </span>
  );
}

export function Gauges(props: { gauges: Gauge[] }) {
  return (
    <section class="card gauges">
      <h2>Gauges</h2>
      <ul>
        <Index each={props.gauges}>
          {(gauge) => (
            <li>
              <span class="gauge-name">{gauge().label}</span>
              <span class="gauge-value">
                {gauge().shown ?? number(gauge().value, 3)}
                <small>{gauge().unit && (gauge().unit.startsWith("%") ? gauge().unit : ` ${gauge().unit}`)}</small>
              </span>
              <Bar share={gauge().max > 0 ? gauge().value / gauge().max : 0} tone={gauge().tone} />
            </li>
          )}
        </Index>
      </ul>
    </section>
  );
}
