/** Creates a formatter once for each language: this takes longer than to format the times of a page or a mail. */
export function perLocale<Format>(create: (locale: string) => Format): (locale: string) => Format {
  const formats = new Map<string, Format>()
  return (locale) => {
    const format = formats.get(locale) ?? create(locale)
    formats.set(locale, format)
    return format
  }
}
