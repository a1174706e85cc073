import type { PageContext } from '../model/page.ts'

/** @returns The URL of the application's home page. */
export function getSiteUrl(origin: string, pathPrefix: string): string {
  return pathPrefix === '' ? origin : `${origin}${pathPrefix}/`
}

/** Creates the data that the screens and mails of a site share. */
export function createPageContext(
  origin: string,
  { basePath, pathPrefix, theme }: Pick<PageContext, 'basePath' | 'theme'> & { readonly pathPrefix: string }
): PageContext {
  const siteUrl = getSiteUrl(origin, pathPrefix)
  return { basePath, origin, siteName: theme.name || new URL(origin).host, siteUrl, theme }
}
