/** The page of one replay is a file: there is no server to ask (vite.replay.ts). */
export const alone = import.meta.env.MODE === "replay";
