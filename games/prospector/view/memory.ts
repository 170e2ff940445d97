// What the frames shown so far taught: the map, the prices, the log. Every entry carries the frame it
// comes from, so that going back in a replay also goes back to what was known then.
//
// The ends of ways are not named, but both ends of a way show the same ticks and the same fuel, to
// the last bit: two nodes that show the same pair are joined. That is inference from what a pilot
// sees; nothing hidden is read.
import type { Frame } from "ludus/view";
import { flightFuel, goods, type State } from "./rules";

export interface Place {
  /** "3" for a visited node, a way's key for an end not visited yet */
  id: string;
  node: number; // -1 not visited yet
  type: number;
  hops: number; // -1 unknown
  since: number;
  x: number;
  y: number;
}

interface End {
  node: number;
  slot: number;
  type: number; // of the other side
  since: number;
  threat: [index: number, value: number][];
}

export interface Road {
  key: string;
  time: number;
  fuel: number;
  ends: End[];
}

export interface Line {
  index: number;
  tick: number;
  text: string;
  events: string[];
  action: string;
  count: number;
}

interface Sample {
  tick: number;
  price: Float32Array; // NaN: above its base by an unknown amount
  change: number[];
}

/** The last entry at or before a frame. */
function at(history: [number, number][], index: number): number | null {
  for (let i = history.length - 1; i >= 0; i--) {
    const entry = history[i];
    if (entry && entry[0] <= index) return entry[1];
  }
  return null;
}

/** The larger of what was heard at both ends by then; 0.5, the value before any listening, if nothing. */
function heard(road: Road, index: number): number {
  const values = road.ends.map((end) => at(end.threat, index) ?? 0.5).filter((threat) => threat !== 0.5);
  return values.length ? Math.max(...values) : 0.5;
}

export class Memory {
  private seed: string | null = null;
  private readonly nodes = new Map<number, Place>();
  private readonly roads = new Map<string, Road>();
  private readonly stubs = new Map<string, Place>();
  private readonly samples = new Map<number, Sample>();
  private readonly lines = new Map<number, Line>();
  private restless = 0; // layout rounds still wanted

  /** Takes in a frame; known ones cost nothing. A new seed forgets everything. */
  learn(frame: Frame): void {
    if (frame.seed !== this.seed) {
      this.seed = frame.seed;
      for (const map of [this.nodes, this.roads, this.stubs, this.samples, this.lines]) map.clear();
    }
    const state = frame.state as State;
    const known = this.lines.get(frame.index);
    // another course of the same seed (play again from here): what came later is void
    if (known && (known.text !== frame.story || known.tick !== state.ticks)) this.forget(frame.index);
    if (this.lines.has(frame.index)) return;
    this.lines.set(frame.index, {
      index: frame.index,
      tick: state.ticks,
      text: frame.story,
      events: frame.events,
      action: frame.actionName,
      count: 1,
    });
    this.learnPrices(frame.index, state);
    this.learnPlace(frame.index, state);
    this.settle();
  }

  /** Drops what was learned at a frame and later. */
  private forget(from: number): void {
    for (const map of [this.lines, this.samples]) {
      for (const index of map.keys()) if (index >= from) map.delete(index);
    }
    for (const [node, place] of this.nodes) if (place.since >= from) this.nodes.delete(node);
    for (const [key, place] of this.stubs) if (place.since >= from) this.stubs.delete(key);
    for (const [key, road] of this.roads) {
      road.ends = road.ends.filter((end) => end.since < from);
      for (const end of road.ends) end.threat = end.threat.filter(([index]) => index < from);
      if (!road.ends.length) this.roads.delete(key);
      else this.stub(road, road.ends[0]?.since ?? 0);
    }
  }

  // ---- prices ----

  /** Below its base a price is shown as it is; above, the changes since then give it. */
  private learnPrices(index: number, state: State): void {
    const before = this.samples.get(index - 1);
    const price = new Float32Array(goods.length);
    goods.forEach((good, c) => {
      const shown = state.price[c] ?? 0;
      const open = shown < good.base;
      price[c] = open ? shown : before ? (before.price[c] ?? NaN) + (state.price_change[c] ?? 0) : NaN;
    });
    const sample = { tick: state.ticks, price, change: state.price_change };
    this.samples.set(index, sample);
    // a price now known tells those before it, and those after it that were learned first
    goods.forEach((_, c) => {
      let later: Sample = sample;
      for (let i = index - 1; ; i--) {
        const earlier = this.samples.get(i);
        if (!earlier || !Number.isNaN(earlier.price[c]) || Number.isNaN(later.price[c])) break;
        earlier.price[c] = (later.price[c] ?? NaN) - (later.change[c] ?? 0);
        later = earlier;
      }
      for (let i = index + 1, last: Sample = sample; ; i++) {
        const next = this.samples.get(i);
        if (!next || !Number.isNaN(next.price[c]) || Number.isNaN(last.price[c])) break;
        next.price[c] = (last.price[c] ?? NaN) + (next.change[c] ?? 0);
        last = next;
      }
    });
  }

  /** The price of a good at a frame, null where only a lower bound is known. */
  price(index: number, good: number): number | null {
    const value = this.samples.get(index)?.price[good];
    return value === undefined || Number.isNaN(value) ? null : value;
  }

  /** Prices seen in the last `span` ticks, oldest first, at most one per tick; gaps stay gaps. */
  prices(index: number, good: number, span: number): { tick: number; price: number }[] {
    const result: { tick: number; price: number }[] = [];
    const now = this.samples.get(index);
    if (!now) return result;
    for (let i = index; i >= 0; i--) {
      const sample = this.samples.get(i);
      if (!sample || sample.tick < now.tick - span) break;
      const base = goods[good]?.base ?? 0;
      const price = sample.price[good] ?? NaN;
      result.push({ tick: sample.tick, price: Number.isNaN(price) ? base : price });
    }
    return result.reverse();
  }

  // ---- log ----

  /** The newest lines up to a frame, newest first; repeats of the same action are one line. */
  log(index: number, count: number): Line[] {
    const result: Line[] = [];
    for (let i = index; i > 0 && result.length < count; i--) {
      const line = this.lines.get(i);
      if (!line) break;
      const last = result.at(-1);
      const same = last && last.action === line.action && !last.events.length && !line.events.length;
      if (same) last.count++;
      else result.push({ ...line, count: 1 });
      if (index - i > 400) break;
    }
    return result;
  }

  // ---- map ----

  private learnPlace(index: number, state: State): void {
    const place = this.nodes.get(state.node) ?? this.newPlace(index, state);
    place.since = Math.min(place.since, index);
    state.neighbours.forEach((way, slot) => {
      const road = this.road(state.node, slot, way.time, way.fuel);
      let end = road.ends.find((e) => e.node === state.node);
      if (!end) {
        end = { node: state.node, slot, type: way.type, since: index, threat: [] };
        road.ends.push(end);
        this.restless = 160;
      }
      end.since = Math.min(end.since, index);
      if (at(end.threat, index) !== way.threat) {
        end.threat.push([index, way.threat]);
        end.threat.sort((a, b) => a[0] - b[0]);
      }
      this.stub(road, index);
    });
  }

  private newPlace(index: number, state: State): Place {
    // a node first seen as the end of a way takes that end's place on the map
    let x = 0;
    let y = 0;
    for (const way of state.neighbours) {
      const stub = this.stubs.get(`${way.time}:${way.fuel}`);
      if (stub) {
        x = stub.x;
        y = stub.y;
        break;
      }
    }
    const place = { id: `${state.node}`, node: state.node, type: state.type, hops: state.hops, since: index, x, y };
    this.nodes.set(state.node, place);
    this.restless = 160;
    return place;
  }

  /** The road of a slot; the same pair at a third node would be chance, and gets its own road. */
  private road(node: number, slot: number, time: number, fuel: number): Road {
    let key = `${time}:${fuel}`;
    for (;;) {
      const road = this.roads.get(key);
      if (!road) {
        const made = { key, time, fuel, ends: [] };
        this.roads.set(key, made);
        return made;
      }
      const own = road.ends.find((e) => e.node === node);
      if (own ? own.slot === slot : road.ends.length < 2) return road;
      key += "'";
    }
  }

  /** The place of a road's far end while nobody was there. */
  private stub(road: Road, index: number): void {
    const end = road.ends[0];
    const home = end && this.nodes.get(end.node);
    if (!end || !home || this.stubs.has(road.key) || road.ends.length > 1) return;
    const angle = this.stubs.size * 2.399963; // golden angle: no two leave the same way
    this.stubs.set(road.key, {
      id: road.key,
      node: -1,
      type: end.type,
      hops: -1,
      since: index,
      x: home.x + Math.cos(angle) * 0.6,
      y: home.y + Math.sin(angle) * 0.6,
    });
  }

  /** Everything on the map as known at a frame. */
  map(index: number): { places: Place[]; roads: { a: Place; b: Place; road: Road; threat: number }[] } {
    const places = [...this.nodes.values()].filter((place) => place.since <= index);
    const roads = [];
    for (const road of this.roads.values()) {
      const ends = road.ends.filter((end) => end.since <= index);
      const [one, two] = ends;
      const a = one && this.nodes.get(one.node);
      if (!one || !a) continue;
      const far = two ? this.nodes.get(two.node) : this.far(road, one.node);
      if (!far) continue;
      if (!two) places.push(far);
      roads.push({ a, b: far, road, threat: heard(road, index) });
    }
    return { places, roads };
  }

  /** The unvisited end of a road; where the node is visited only later, its place without its number. */
  private far(road: Road, node: number): Place | undefined {
    const end = road.ends.find((e) => e.node === node);
    const later = road.ends.find((e) => e.node !== node);
    const spot = later ? this.nodes.get(later.node) : this.stubs.get(road.key);
    return spot && { ...spot, id: road.key, node: -1, hops: -1, type: end?.type ?? spot.type };
  }

  /** The road of each slot of a node, the node at its other end (-1: not known at that frame), and
   * its threat as heard at either end, 0.5 if never. */
  ways(node: number, index: number): { slot: number; key: string; to: number; threat: number }[] {
    const result = [];
    for (const road of this.roads.values()) {
      const end = road.ends.find((e) => e.node === node);
      const other = road.ends.find((e) => e.node !== node && e.since <= index);
      if (end) result.push({ slot: end.slot, key: road.key, to: other?.node ?? -1, threat: heard(road, index) });
    }
    return result.sort((a, b) => a.slot - b.slot);
  }

  /** Fuel of the cheapest known way to the station with this load, null if none is known. */
  fuelHome(node: number, index: number, cargo: number): number | null {
    const cost = new Map<number, number>([[0, 0]]);
    for (let round = 0; round < this.nodes.size; round++) {
      for (const road of this.roads.values()) {
        const [a, b] = road.ends;
        const home = [a, b].find((end) => end?.type === 0);
        if (a && !b && home && a.since <= index) relax(cost, a.node, 0, road.fuel);
        if (a && b && a.since <= index && b.since <= index) {
          relax(cost, a.node, b.node, road.fuel);
          relax(cost, b.node, a.node, road.fuel);
        }
      }
    }
    const fuel = cost.get(node);
    return fuel === undefined ? null : flightFuel(fuel, cargo);
  }

  // ---- layout: springs along roads, repulsion between all places, the station in the middle ----

  private settle(): void {
    if (this.restless === 0) return;
    const spots = [...this.nodes.values()];
    const links: [Place, Place, number][] = [];
    for (const road of this.roads.values()) {
      const [one, two] = road.ends;
      const a = one && this.nodes.get(one.node);
      const b = two ? this.nodes.get(two.node) : this.stubs.get(road.key);
      if (!a || !b) continue;
      links.push([a, b, two ? 1 : 0.8]);
      if (!two) spots.push(b);
    }
    for (; this.restless > 0; this.restless--) relaxLayout(spots, links, this.restless / 160);
  }
}

function relax(cost: Map<number, number>, to: number, from: number, fuel: number): void {
  const start = cost.get(from);
  if (start === undefined) return;
  const total = start + fuel;
  if (total < (cost.get(to) ?? Infinity)) cost.set(to, total);
}

/** One round; `heat` falls from 1 to 0 and bounds the steps. */
function relaxLayout(spots: Place[], links: [Place, Place, number][], heat: number): void {
  const push = new Map<Place, [number, number]>(spots.map((spot) => [spot, [0, 0]]));
  const add = (spot: Place, x: number, y: number): void => {
    const force = push.get(spot);
    if (force) {
      force[0] += x;
      force[1] += y;
    }
  };
  spots.forEach((a, i) => {
    for (const b of spots.slice(i + 1)) {
      let dx = a.x - b.x;
      const dy = a.y - b.y;
      if (dx === 0 && dy === 0) dx = 0.01 * (i + 1);
      const d2 = dx * dx + dy * dy + 0.01;
      const f = 0.09 / d2;
      add(a, dx * f, dy * f);
      add(b, -dx * f, -dy * f);
    }
  });
  for (const [a, b, length] of links) {
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const d = Math.hypot(dx, dy) || 0.01;
    const f = (0.25 * (d - length)) / d;
    add(a, dx * f, dy * f);
    add(b, -dx * f, -dy * f);
  }
  const bound = 0.02 + 0.25 * heat;
  for (const [spot, [fx, fy]] of push) {
    if (spot.node === 0) continue;
    const size = Math.hypot(fx, fy) || 1;
    const step = Math.min(size, bound) / size;
    spot.x += fx * step - spot.x * 0.004;
    spot.y += fy * step - spot.y * 0.004;
  }
}
