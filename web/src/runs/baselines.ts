// What the game's bots reach on the seeds of a run's evaluations: from a report where it has that,
// otherwise they play in the page.
import { api, type Evaluation, type Run } from "../lib/api";
import type { Baseline as Played } from "../lib/baselines";

export interface Baseline {
  name: string;
  mean: number;
  episodes: number;
  /** false: taken from the evaluation's report */
  played: boolean;
}

/** Bots' means of the metric that a run is judged by; none where there is no evaluation or no module.
 * `tell` hears those that are known so far: some bots play long. */
export async function baselines(run: Run, tell: (found: Baseline[]) => void): Promise<Baseline[]> {
  const page = await api.evaluations(run.run_id, { from: run.best_window ?? 0, limit: 1, full: true });
  const evaluation = page.evaluations[0];
  if (!evaluation) return [];
  const told = reported(evaluation);
  if (told.length) return told;
  const { baselines: play } = await import("../lib/baselines");
  const { first, count } = evaluation.seeds;
  const question = { id: run.game, settings: evaluation.report?.settings ?? {}, options: {}, metric: evaluation.metric, first, count };
  const own = (found: Played[]) => found.map((bot) => ({ name: bot.name, mean: bot.mean, episodes: bot.count, played: true }));
  return own(await play(question, (found) => tell(own(found))));
}

/** The bots of a report made with --against. */
function reported(evaluation: Evaluation): Baseline[] {
  const against: Record<string, any> = evaluation.report?.against ?? {};
  return Object.entries(against).flatMap(([name, figures]) => {
    const theirs = figures?.[evaluation.metric]?.theirs;
    return typeof theirs?.mean === "number" ? [{ name, mean: theirs.mean, episodes: theirs.count ?? evaluation.seeds.count, played: false }] : [];
  });
}
