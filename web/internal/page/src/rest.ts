// The parts of the page that a first visit does not show: one file, loaded behind the board.

export { AnalysisView, EvalBar, Lines } from "./analysis";
export { Editor } from "./editor";
export { witness } from "./fair";
export { Friend } from "./friend";
export { Games } from "./games";
export { NewGame } from "./newgame";
export { Intro, Lesson, Puzzles } from "./quiz";
export { Rules } from "./rules";
export { ShareBox } from "./share";
