import type { PageContext } from '../model/page.ts'
import type { Services } from './config.ts'

/** @returns The URL of the application's home page. */
export function getSiteUrl(origin: string, { pathPrefix }: Pick<Services, 'pathPrefix'>): string {
  return pathPrefix === '' ? origin : `${origin}${pathPrefix}/`
}

/** Creates the data that the screens and mails of a site share. */
export function createPageContext(
  origin: string,
  { basePath, pathPrefix, theme }: Pick<Services, 'basePath' | 'pathPrefix' | 'theme'>
): PageContext {
  const siteUrl = getSiteUrl(origin, { pathPrefix })
  return { basePath, origin, siteName: theme.name || new URL(origin).host, siteUrl, theme }
}
