// What the game's bots reach on the seeds of an evaluation, the figures an agent is to be compared with:
// from its report where that has them, otherwise played in the page by the same rules and settings, in
// slices that leave the page alive.
import { api, type Evaluation, type Run } from "./api";
import { Game } from "./game";

export interface Baseline {
  name: string;
  mean: number;
  /** episodes */
  count: number;
  /** in the page; else taken from the report */
  played: boolean;
}

export interface PlayedBaseline extends Baseline {
  sentence: string;
  low: number;
  high: number;
}

const sliceMs = 8;
const stepsMost = 400_000;
const known = new Map<string, Promise<PlayedBaseline[]>>();

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

async function play({ id, settings, options, metric, first, count }: Question, tell: (found: PlayedBaseline[]) => void): Promise<PlayedBaseline[]> {
  const game = await Game.load(id);
  game.open(settings);
  const found: PlayedBaseline[] = [];
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
      found.push({ name: bot.name, sentence: bot.sentence, count: values.length, played: true, ...spread(values) });
      tell([...found]);
    }
  }
  return found;
}

/** Asked once per question; `tell` hears the bots as they finish. A game without a module gives none. */
export function playedBaselines(question: Question, tell: (found: PlayedBaseline[]) => void = () => undefined): Promise<PlayedBaseline[]> {
  const key = JSON.stringify(question);
  let answer = known.get(key);
  if (!answer) known.set(key, (answer = play(question, tell).catch(() => [])));
  return answer;
}

/** Those of the metric that a run is judged by; none where there is no evaluation or no module. `tell`
 * hears those that are known so far: some bots play long. */
export async function runBaselines(run: Run, tell: (found: Baseline[]) => void): Promise<Baseline[]> {
  const page = await api.evaluations(run.run_id, { from: run.best_window ?? 0, limit: 1, full: true });
  const evaluation = page.evaluations[0];
  if (!evaluation) return [];
  const told = reported(evaluation);
  if (told.length) return told;
  const { first, count } = evaluation.seeds;
  return playedBaselines({ id: run.game, settings: evaluation.report?.settings ?? {}, options: {}, metric: evaluation.metric, first, count }, tell);
}

/** The bots of a report made with --against. */
function reported(evaluation: Evaluation): Baseline[] {
  const against: Record<string, any> = evaluation.report?.against ?? {};
  return Object.entries(against).flatMap(([name, figures]) => {
    const theirs = figures?.[evaluation.metric]?.theirs;
    return typeof theirs?.mean === "number" ? [{ name, mean: theirs.mean, count: theirs.count ?? evaluation.seeds.count, played: false }] : [];
  });
}
