// The brewing page: ingredients and what one owns of them, the cauldron, the best potions from that
// stock, the front of cost and profit, contests, and a link to all of it.
import { createEffect, createMemo, on } from "solid-js";
import { CopyLink } from "ludus/lib/ui";
import { BestCard } from "./best";
import { CauldronCard, Choosers } from "./cauldron";
import { ContestCard } from "./contest";
import { FrontCard } from "./front";
import { Shelf } from "./shelf";
import { asking, settingsOf } from "./solver";
import { createBrewing } from "./state";
import { StockBar } from "./stock";
import "./brew.css";

const pauseMs = 250;
const frontPauseMs = 350;

export default function BrewPage() {
  const brewing = createBrewing();
  const { state } = brewing;
  const plain = createMemo(() => settingsOf(state.recipe, state.cauldron, state.stock, state.wishes));
  const best = asking(() => {
    const settings = plain();
    return settings && state.wishes.traits ? { ...settings, traits: true } : settings;
  }, pauseMs);
  const front = asking(() => {
    const settings = plain();
    return settings && { ...settings, front: true };
  }, frontPauseMs);
  /** what failed for both is told once, and tried again for both */
  const failed = () => best.problem() !== "" && best.problem() === front.problem();
  createEffect(on(best.fresh, (fresh) => fresh && front.problem() && front.again()));
  return (
    <div class="brew">
      <header class="brew-head">
        <div>
          <h1>Brew</h1>
          <p class="quiet">The best potion from what you own, proven.</p>
        </div>
        <CopyLink link={brewing.link} holds="recipe, mix, stock and requirements" />
      </header>
      <section class="card brew-task" aria-label="What to brew, and of what">
        <Choosers brewing={brewing} />
        <StockBar brewing={brewing} />
      </section>
      <div class="brew-grid">
        <div class="brew-side">
          <BestCard brewing={brewing} asked={best} />
          <CauldronCard brewing={brewing} />
        </div>
        <div class="brew-main">
          <Shelf brewing={brewing} />
          <FrontCard asked={front} told={failed()} put={brewing.put} />
          <ContestCard brewing={brewing} />
        </div>
      </div>
    </div>
  );
}
