import t from 'tap'
import { getBrowserName } from '../../src/http/browser-name.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0'
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const android = 'Mozilla/5.0 (Linux; Android 10; K)'

const cases: readonly (readonly [userAgent: string | null, then: string | null])[] = [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox (Linux)'],
  [`${windows} ${chrome} Safari/537.36`, 'Chrome (Windows)'],
  [`${windows} ${chrome} Safari/537.36 Edg/130.0.0.0`, 'Edge (Windows)'],
  [`${mac} ${chrome} Safari/537.36 OPR/115.0.0.0`, 'Opera (macOS)'],
  [`${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`, 'Safari (macOS)'],
  [`${iPhone} Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari (iPhone)'],
  [`${iPhone} CriOS/130.0.6723.37 Mobile/15E148 Safari/604.1`, 'Chrome (iPhone)'],
  [`${iPhone} FxiOS/132.0 Mobile/15E148 Safari/605.1.15`, 'Firefox (iPhone)'],
  [`${android} ${chrome} Mobile Safari/537.36`, 'Chrome (Android)'],
  [
    `${android} AppleWebKit/537.36 SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet (Android)'
  ],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) HeadlessChrome/130.0.0.0 Safari/537.36', 'Chrome (ChromeOS)'],
  ['Mozilla/5.0 (Windows NT 10.0)', 'Windows'],
  ['Firefox/132.0', 'Firefox'],
  ['curl/8.5.0', null],
  ['Your account is locked, call 555-1234', null],
  [`Your account is locked, call 555-1234 ${windows} Firefox/1`, 'Firefox (Windows)'],
  [`${'x'.repeat(600)} Firefox/1`, null],
  ['', null],
  [null, null]
]

for (const [userAgent, then] of cases) {
  t.test(`${then} of ${userAgent?.slice(0, 80)}`, async (t) => {
    t.equal(getBrowserName(userAgent), then)
  })
}
