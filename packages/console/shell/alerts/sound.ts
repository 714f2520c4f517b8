const LOW_HZ = 660;
const HIGH_HZ = 880;
const TONE_S = 0.12;
const LOUDNESS = 0.08;
/** A browser that refuses never answers, so nothing is awaited for longer. */
const RESUME_MS = 500;

let context: AudioContext | undefined;

/** Two short tones. A browser plays them once somebody has clicked or typed on the page. */
export const playSound = async (): Promise<void> => {
  context ??= new AudioContext();
  if (context.state === 'suspended') {
    // While it is suspended its clock stands, and all tones of the meantime would be heard at once.
    void context.resume().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, RESUME_MS));
    if (context.state === 'suspended') return;
  }
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
