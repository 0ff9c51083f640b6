// Sound and vibration, both off unless the user switches them on.

import { readJSON } from "./settings";
import type { Turn } from "./types";

let audio: AudioContext | undefined;

function tone(hertz: number, seconds: number, delay = 0): void {
  audio ??= new AudioContext();
  const at = audio.currentTime + delay;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = "triangle";
  source.frequency.value = hertz;
  volume.gain.setValueAtTime(0.15, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + seconds);
}

export function signal(turn: Turn): void {
  if (turn.from < 0) return;
  if (readJSON("sound", false)) {
    tone(turn.capture ? 165 : 330, 0.12);
    if (turn.rosette) tone(660, 0.25, 0.1);
    if (turn.text.endsWith("-home")) tone(495, 0.3, 0.1);
  }
  if (readJSON("vibration", false)) navigator.vibrate?.(turn.capture ? [40, 40, 40] : 25);
}
