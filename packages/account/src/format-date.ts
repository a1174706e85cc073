/** A day in the language of a page, such as `Jan 2, 2030`. @param date - In ISO 8601. */
export function formatDate(date: string, { locale }: { readonly locale: string }): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
}
