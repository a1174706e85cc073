/**
 * Characters that compare as equal to ASCII letters and digits, although Unicode does not decompose them that way.
 *
 * The tables hold the differences between NFKD and the weights of MariaDB's Unicode collations (`utf8mb4_unicode_ci`,
 * `utf8mb4_unicode_520_ci`, `utf8mb4_uca1400_ai_ci`), in lower case. A test compares them with the server.
 */

/** Runs of characters: the first code point, then one ASCII letter or digit for each. */
const runs = [
  'f0:d 140:l 363:aeioucdhmrtvx 9f4:1234 c78:0123123 f2a:1234567890 1369:123456789 17f0:0123456789 19da:1 1abf:w',
  '1acc:grt 1d79:g 1d9e:d 1dca:r 1dd3:a 1dd7:cddg 1ddc:kl 1de0:n 1de3:rssz 1de8:b 1deb:f 1ded:op 1df0:uwaou 2185:6',
  '24f5:123456789 24ff:0 2776:123456789 2780:123456789 278a:123456789 3007:0 3021:123456789 a75b:r a77a:d a77c:f',
  'a783:r a785:s a787:t a79b:a a79d:o a79f:u a7a1:g a7a3:k a7a5:n a7a7:r a7a9:s a7c1:a a7c3:w a7d9:s',
  '10107:123456789 10142:15 10148:5 1014f:5 10158:11122225 10173:5 1018a:0 102e1:123456789 10320:15 103d1:12',
  '10858:123 10879:12345 108a7:123445 108fb:15 10916:1 1091a:23 109c0:123456789 10a40:1234 10a7d:1 10a9d:1 10aeb:15',
  '10b58:1234 10b78:1234 10ba9:1234 10cfa:15 10e60:123456789 10f1d:12345 10f51:1 10fc5:1234 11052:123456789',
  '111e1:123456789 11c5a:123456789 12400:23456789345678945678912345678912345233456789123345',
  '12434:12334533444467778899992345612344552312 12469:456789 16e80:0123456789 16e94:123 1d2e0:0123456789',
  '1d360:123456789 1d372:1234515 1e8c7:123456789 1ec71:123456789 1eca3:123456789 1ecb1:12 1ed01:123456789',
  '1ed2f:23456789 1f10b:00 1f150:abcdefghijklmnopqrstuvwxyz 1f170:abcdefghijklmnopqrstuvwxyzp 1f1a5:d'
].join(' ')

/** Characters that compare as several letters or digits. */
const ligatures = [
  '18d:zw 1be:ts 238:db 239:qp 2a3:dz 2a6:ts 2aa:ls 2ab:lz 1d7a:th 1dd4:ae 1dd5:ao 1dd6:av 1efb:ll 24eb:11 24ec:12',
  '24ed:13 24ee:14 24ef:15 24f0:16 24f1:17 24f2:18 24f3:19 24f4:20 24fe:10 277f:10 2789:10 2793:10 3248:10 3249:20',
  '324a:30 324b:40 324c:50 324d:60 324e:70 324f:80 a729:tz a733:aa a735:ao a737:au a739:av a73b:av a73d:ay a74f:oo',
  'a761:vy 10780:aa 10787:dz 10799:ls 1079a:lz 107ac:ts 1f18b:ic 1f18c:pa 1f18d:sa 1f18e:ab 1f18f:wc 1f191:cl',
  '1f192:cool 1f193:free 1f194:id 1f195:new 1f196:ng 1f197:ok 1f198:sos 1f19a:vs 1f19b:3d 1f19d:2k 1f19e:4k',
  '1f19f:8k 1f1a3:60p 1f1a4:120p 1f1a6:hc 1f1a7:hdr 1f1a9:lossless 1f1aa:shv 1f1ab:uhd 1f1ac:vod'
].join(' ')

/** Characters without a weight that are neither marks nor format characters. */
const weightless = '640 6de 7fa 824 828 180a 1cd3 1cf2 1cf3 fcf2 fcf3 fcf4 fe71 fe73 fe77 fe79 fe7b fe7d fe7f'

function addAll(table: string, add: (codePoint: number, text: string) => void): void {
  for (const entry of table.split(' ')) {
    const [codePoint = '', text = ''] = entry.split(':')
    add(Number.parseInt(codePoint, 16), text)
  }
}

function createEquals(): ReadonlyMap<string, string> {
  const created = new Map<string, string>()
  addAll(runs, (first, text) => {
    for (const [index, letter] of [...text].entries()) created.set(String.fromCodePoint(first + index), letter)
  })
  for (const table of [ligatures, weightless])
    addAll(table, (codePoint, text) => void created.set(String.fromCodePoint(codePoint), text))
  return created
}

/** Created on first use: most identifiers are ASCII. */
let equals: ReadonlyMap<string, string> | null = null

const decimalDigit = /^\p{Nd}$/u

/** Decimal digits of a script are ten consecutive characters in ascending order (Unicode, section 4.6). */
function digitValue(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0
  let first = codePoint
  while (decimalDigit.test(String.fromCodePoint(first - 1))) first--
  return String((codePoint - first) % 10)
}

/** Replaces characters with the ASCII letters and digits that they are compared as. Expects lower case. */
export function replaceEqualCharacters(text: string): string {
  equals ??= createEquals()
  const known = equals
  return text.replace(
    /[^\0-\x7f]/gu,
    (character) => known.get(character) ?? (decimalDigit.test(character) ? digitValue(character) : character)
  )
}
