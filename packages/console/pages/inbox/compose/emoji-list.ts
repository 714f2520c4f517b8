/** The emoji that people of shops send, each with the words by which it is found. The usual ones come first. */
const LINES = `
👍 thumbs up yes good ok
🙏 thanks please pray
😊 smile happy friendly
😀 grin happy
😂 laugh tears joy funny
❤️ heart love red
🎉 party celebrate congratulations
👋 wave hello hi bye
✅ check done yes
🙂 slight smile
😉 wink
😍 heart eyes love
😅 sweat relieved sorry
😢 cry sad sorry
😔 sad sorry pensive
😮 surprise oh wow
🤔 think hmm
😎 cool sunglasses
🥳 party birthday
🤗 hug welcome
😇 angel innocent
😴 sleep tired night
😷 mask ill sick
🤒 fever ill sick
😡 angry
🙈 monkey oops
🤷 shrug unknown
🙋 raise hand question
👏 clap applause bravo
💪 strong muscle
🤝 handshake deal agree
👌 ok perfect
👎 thumbs down no bad
✌️ peace victory
🤞 fingers crossed luck
☝️ up one point
👉 right point look
👇 down point below
👀 eyes look see
❌ cross no wrong
❓ question
❗ important exclamation
⚠️ warning attention
ℹ️ information
💯 hundred percent perfect
🔥 fire hot
⭐ star
✨ sparkles new shiny
💡 idea light
🎁 gift present
🎂 cake birthday
🎄 christmas tree
🎅 santa christmas
🐰 easter rabbit
🥂 toast cheers new year
☕ coffee break
🍕 pizza food
🍽️ restaurant food table
🍷 wine
🍺 beer
🛒 cart shop order buy
🛍️ bags shopping
🏷️ price label sale
💰 money price
💳 card pay payment
🧾 receipt invoice bill
🏦 bank transfer
💶 euro money
💵 dollar money
📦 parcel package delivery
🚚 truck delivery shipping
✈️ plane flight travel
🚗 car
🚲 bicycle bike
🚌 bus
🚆 train
🏠 house home
🏢 office building
🏪 shop store
🏥 hospital health
📍 place location pin map
🗺️ map
🅿️ parking
🔑 key
🔒 locked secure
🔓 unlocked open
🔧 wrench repair tool
🛠️ tools repair
🔌 plug power
🔋 battery
💻 computer laptop
📱 phone mobile
☎️ telephone call
📞 call phone receiver
📧 mail email
✉️ letter mail
📎 attachment clip
📄 document page file
📷 camera photo picture
🎥 video film
🎵 music
📅 calendar date appointment
⏰ alarm clock time
⌛ hourglass wait
⏳ waiting soon
🕘 clock nine morning
🌞 sun morning weather
🌙 moon night
☀️ sun sunny weather
🌧️ rain weather
❄️ snow winter cold
🌈 rainbow
🌷 tulip flower spring
🌹 rose flower
💐 bouquet flowers congratulations
🌱 plant green eco
♻️ recycle eco
🐶 dog
🐱 cat
⚽ football soccer ball
🏆 trophy winner
🥇 medal first winner
🎯 target goal
🚀 rocket fast launch
📈 chart up growth
📉 chart down
🆕 new
🆓 free
🔝 top
🔜 soon
➡️ arrow right next
⬆️ arrow up
⬇️ arrow down
🔁 repeat again
💬 speech message chat
💙 heart blue love
💚 heart green love
🖤 heart black
🧡 heart orange
`;

interface Emoji {
  emoji: string;
  words: string;
}

const EMOJI: readonly Emoji[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const space = line.indexOf(' ');
    return { emoji: line.slice(0, space), words: line.slice(space + 1) };
  });

/** Every word typed must begin a word of the emoji. */
export const emojiFor = (typed: string): readonly Emoji[] => {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return EMOJI.filter(({ words }) => wanted.every((one) => words.split(' ').some((word) => word.startsWith(one))));
};
