// What the game's bots reach on the seeds of an evaluation, played in the page by the same rules and
// settings: the figures an agent is to be compared with. Slices leave the page alive.
import { Game } from "./game";

export interface Baseline {
  name: string;
  sentence: string;
  mean: number;
  low: number;
  high: number;
  count: number;
}

const sliceMs = 8;
const stepsMost = 400_000;
const known = new Map<string, Promise<Baseline[]>>();

/** Mean with the interval of a normal distribution, for a picture. */
function spread(values: number[]): { mean: number; low: number; high: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  const half = 1.96 * Math.sqrt(variance / values.length);
  return { mean, low: mean - half, high: mean + half };
}

/** What is asked: the bots of a game under settings, on seeds from `first` on, judged by `metric`. */
export interface Question {
  id: string;
  settings: object;
  options: object;
  metric: string;
  first: number;
  count: number;
}

async function play({ id, settings, options, metric, first, count }: Question, tell: (found: Baseline[]) => void): Promise<Baseline[]> {
  const game = await Game.load(id);
  game.open(settings);
  const found: Baseline[] = [];
  let slice = performance.now() + sliceMs;
  for (const bot of game.about.bots) {
    const values: number[] = [];
    let steps = 0;
    for (let seed = first; seed < first + count && steps < stepsMost; seed++) {
      let total = 0;
      game.reset(seed, options);
      while (!game.over && steps++ < stepsMost) {
        const actions = Array.from({ length: game.spec.seats }, (_, seat) => game.botAct(bot.name, seat)).flat();
        game.step(actions);
        total += game.reward();
        if (performance.now() > slice) {
          await new Promise((done) => setTimeout(done, 12));
          slice = performance.now() + sliceMs;
        }
      }
      const value = metric === "return" ? total : Number(game.info()[metric]);
      if (game.over && Number.isFinite(value)) values.push(value);
    }
    if (values.length > 0) {
      found.push({ name: bot.name, sentence: bot.sentence, count: values.length, ...spread(values) });
      tell([...found]);
    }
  }
  return found;
}

/** Asked once per question; `tell` hears the bots as they finish. A game without a module gives none. */
export function baselines(question: Question, tell: (found: Baseline[]) => void = () => undefined): Promise<Baseline[]> {
  const key = JSON.stringify(question);
  let answer = known.get(key);
  if (!answer) known.set(key, (answer = play(question, tell).catch(() => [])));
  return answer;
}
