const LOW_HZ = 660;
const HIGH_HZ = 880;
const TONE_S = 0.12;
const LOUDNESS = 0.08;

let context: AudioContext | undefined;

/** Two short tones. A browser plays them once somebody has clicked or typed on the page. */
export const playSound = (): void => {
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  for (const [place, hz] of [LOW_HZ, HIGH_HZ].entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = hz;
    volume.gain.value = LOUDNESS;
    tone.connect(volume).connect(destination);
    tone.start(currentTime + place * TONE_S);
    tone.stop(currentTime + (place + 1) * TONE_S);
  }
};
