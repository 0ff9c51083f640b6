// The answers of the server, as docs/json.md describes them.

export type Side = "light" | "dark";

export interface Move {
  from: number;
  to: number;
  text: string;
  capture: boolean;
  rosette: boolean;
}

export interface Turn extends Move {
  side: Side;
  roll: number;
}

/** RuleSet is a rule set, with its board. */
export interface RuleSet {
  name: string;
  title: string;
  about: string;
  pieces: number;
  columns: string[]; // of the board, A first: # for a tile and . for a gap
  paths: [string[], string[]]; // tiles of Light's and Dark's
  rosettes: string[];
  dice: number[]; // weights of the rolls
  safe_rosettes: boolean;
  players?: Player[];
}

export interface View {
  game: string;
  pieces: number;
  rules?: RuleSet; // unless they are Finkel's
  players: [string, string];
  board: number[];
  side: Side;
  roll: number | null;
  moves: Move[];
  more: boolean;
  result: string;
  undo: boolean;
  redo: boolean;
  turns: Turn[];
}

export interface Hint extends Move {
  win: number;
  regret: number;
  mark: string;
  line?: string[];
}

export interface Hints {
  by: string;
  before: number;
  moves: Hint[];
}

export interface AnalysisPlayer {
  name: string;
  decisions: number;
  regret: number;
  optimal: number;
  luck: number;
  adjusted: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

export interface AnalysisMove {
  turn: number;
  side: Side;
  roll: number;
  move: string;
  best: string;
  win_before: number;
  win: number;
  regret: number;
  luck: number;
  mark: string;
}

export interface Analysis {
  by: string;
  players: [AnalysisPlayer, AnalysisPlayer];
  result: string;
  turning: number[];
  moves: AnalysisMove[];
}

export interface About {
  version: string;
  server: boolean;
  data: boolean;
  fleet: boolean;
  ladder: boolean;
  rooms: boolean;
  players: Player[];
  rules: RuleSet[];
  forms: string[];
  levels: { level: number; regret: number }[];
}

/** Player is a player to choose. */
export interface Player {
  name: string;
  title: string;
  help: string;
  most: number; // pieces of the largest game it can play here
  why?: string; // the reason why it cannot play larger ones
}

export interface Puzzle {
  number: number;
  title: string;
  board: number[];
  side: Side;
  roll: number;
  moves: Hint[];
}

/** Shared is a game of two people by a link. */
export interface Shared {
  id: string;
  view: View;
  seats: [boolean, boolean]; // taken
  commit: string;
  secret?: string; // after the game
  again?: string; // id of the rematch
  watching: number;
  token?: string; // of whoever took a seat with this request
  side?: Side;
}

export interface TextFile {
  name: string;
  text: string;
}

export interface MatchPoint {
  games: number;
  score: number;
  lo: number;
  hi: number;
}

export interface TrainingPoint {
  games: number;
  rivals: { name: string; rate: number; lo: number; hi: number }[];
  regret?: number;
}

export interface RankedPlayer {
  rank: number;
  name: string;
  elo: number;
  elo_lo: number;
  elo_hi: number;
  games: number;
  score: number;
}

export interface Worker {
  name: string;
  machine: { engine: string; cpu: string };
  parallel: number;
  pieces: number;
  rate: number;
  held: number;
}

export interface Run {
  id: string;
  kind: "match" | "tournament" | "training" | "fleet";
  title: string;
  state: "running" | "done" | "stopped" | "failed" | "still";
  error?: string;
  done: number;
  total?: number;
  mine?: boolean;
  match?: {
    players: [string, string];
    pieces: number;
    seed: number;
    wins: [number, number];
    light_wins: number;
    turns: number;
    elo: number | null;
    points: MatchPoint[];
  };
  tournament?: { kind: string; prior: boolean; players: RankedPlayer[] };
  training?: { method?: string; seconds: number; points: TrainingPoint[] };
  fleet?: { workers: Worker[]; queue: { code: string; waiting: number; held: number; workers: number }[]; draining: boolean };
}

export interface News {
  whole: boolean;
  runs: Run[];
  gone: string[];
}

export interface LadderRecord {
  name: string;
  made: string;
  date: string;
  baseline: string;
  rows: { engine: string; value: number; game: number; lo: number; hi: number; faster: number }[];
  plots: { name: string; alt: string; file: string }[];
}

export interface Ladder {
  records: LadderRecord[];
}
