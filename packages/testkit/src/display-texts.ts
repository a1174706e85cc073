/** A text that somebody sends, and what somebody else reads: `null` if nothing of it is visible. */
export type DisplayText = readonly [what: string, sent: string, read: string | null]

const same = (what: string, text: string): DisplayText => [what, text, text]

/** Names that must not deceive a reader, and names of people that must stay as they are. */
export const displayTexts: readonly DisplayText[] = [
  // Unicode Standard Annex #9, Unicode Bidirectional Algorithm, §2: these change the order of the text that follows.
  ['override', '\u202egnp.exe\u202c', 'gnp.exe'],
  ['embedding', '\u202aAda\u202bLovelace\u202c', 'AdaLovelace'],
  ['isolate', '\u2066Ada\u2069 \u2067x\u2068y', 'Ada xy'],
  ['the end of an isolate that is not its own', 'Ada\u2069\u202c', 'Ada'],
  ['marks of direction without such a script', '\u200eAda\u200f\u061c', 'Ada'],
  // Unicode Technical Standard #39, §3.1.1, and RFC 8264 §9.13: characters that are ignored by default.
  ['zero-width space', 'ad\u200bmin', 'admin'],
  ['joiners in Latin letters', 'a\u200cd\u200dmin', 'admin'],
  ['word joiner, byte order mark, soft hyphen', '\ufeffad\u2060m\u00adin', 'admin'],
  ['variation selector of a letter', 'a\ufe0fda', 'ada'],
  ['tags', 'Ada\u{e0041}\u{e007f}', 'Ada'],
  ['a mark that hides a joiner', 'Ada\u061c\u200d', 'Ada'],
  ['many joiners', 'क्\u200d\u200d\u200dष', 'क्\u200dष'],
  ['a joiner at the end of an emoji', '👩\u200d', '👩'],
  ['annotation', 'A\ufff9da\ufffa!\ufffb', 'Ada!'],
  ['noncharacters', '\uffffAda\ufdd0\u{1fffe}', 'Ada'],
  // RFC 8266 §2.1: spaces are mapped to U+0020, once, and not at the ends. The others end a line.
  ['spaces', '\u3000Ada\u00a0 \u2003\tLovelace ', 'Ada Lovelace'],
  ['lines', 'Ada\r\nBcc: eve@example.com\u2028x\u2029y\u0085z', 'Ada Bcc: eve@example.com x y z'],
  ['control characters', 'A\u0000\u001b[31m\u007fda\u009b', 'A [31m da'],
  ['a lone surrogate', 'A\ud800da\udc00', 'A da'],
  ['the blank of Braille', 'Ada\u2800', 'Ada'],
  ['nothing', '', null],
  ['spaces alone', ' \u3000\u2800', null],
  ['zero-width characters alone', '\u200b\u200c\u200d\ufeff\u2060', null],
  ['marks of direction alone', '\u202e\u200f', null],
  ['fillers alone', '\u3164\uffa0\u115f\u1160\u17b4\u034f', null],
  ['a selector alone', '\ufe0f', null],
  ['an accent alone', ' \u0301', null],
  ['a surrogate alone', '\udfff', null],
  // RFC 5892 appendix A.1 and A.2: a joiner after a letter that it changes.
  same('Persian', 'می\u200cخواهم'),
  same('an abbreviation in Persian', 'ه\u200d.ش'),
  same('Hindi', 'क्\u200dष'),
  same('Malayalam, an old chillu', 'ന്\u200d'),
  same('Sinhala', 'ශ්\u200dරී'),
  same('Arabic', 'محمد بن سلمان'),
  same('Hebrew with points and a mark', 'דָּוִד\u200f!'),
  same('accents, composed and not', 'Zoë Zoe\u0308'),
  same('Vietnamese', 'Nguyễn Văn Đạt'),
  same('a compatibility ideograph', '神\ufa19'),
  same('an ideograph with a variation selector', '葛\u{e0100}城'),
  same('full width', 'Ａｄａ'),
  same('Hangul', '김 민준'),
  same('Thai', 'สมชาย'),
  same('punctuation', "Seán O'Neill-D’Arcy, Jr. (#1)"),
  // Unicode Technical Standard #51.
  same('a family', '👩\u200d👩\u200d👧'),
  same('skin and profession', '👩🏽\u200d⚕\ufe0f'),
  same('a heart on fire, a keycap', '❤\ufe0f\u200d🔥 1\ufe0f⃣'),
  same('a flag of letters, and one of tags', '🇩🇪 \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}')
]
