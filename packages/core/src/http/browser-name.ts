type Names = readonly (readonly [pattern: RegExp, name: string])[]

/** Browsers whose User-Agent header contains the names of others come first. */
const browsers: Names = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:DuckDuckGo|Ddg)\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:\b|Headless)(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/^(?=.*\bVersion\/).*\bSafari\//, 'Safari']
]

const systems: Names = [
  [/\biPhone|\biPod/, 'iPhone'],
  [/\biPad/, 'iPad'],
  [/\bAndroid/, 'Android'],
  [/\bWindows/, 'Windows'],
  [/\bCrOS/, 'ChromeOS'],
  [/\bMac OS X|\bMacintosh/, 'macOS'],
  [/\bLinux|\bX11/, 'Linux']
]

const findName = (userAgent: string, names: Names): string | null =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null

/**
 * Names the browser and the operating system of a User-Agent header, such as `Firefox (Linux)`.
 *
 * The name is one of a fixed list, so that a request cannot put text into a mail.
 *
 * @returns `null` if neither is known.
 */
export function getBrowserName(userAgent: string | null): string | null {
  const start = userAgent?.slice(0, 512) ?? ''
  const [browser, system] = [findName(start, browsers), findName(start, systems)]
  return browser && system ? `${browser} (${system})` : (browser ?? system)
}
