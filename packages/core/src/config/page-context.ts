import type { PageContext } from '../model/page.ts'
import type { Services } from './config.ts'

/** Creates the data that the screens and mails of a site share. */
export function createPageContext(
  origin: string,
  { basePath, theme }: Pick<Services, 'basePath' | 'theme'>
): PageContext {
  return { basePath, origin, siteName: theme.name || new URL(origin).host, theme }
}
