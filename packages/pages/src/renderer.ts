import type { Asset, Frame, Page, RenderedMail, Renderer, SignInMail } from '@postern/core'
import { fill } from './holes.ts'
import { renderMail } from './mail/render-mail.tsx'
import { outlineOf } from './outline.ts'
import { Site } from './site.ts'
import { en } from './texts/en.ts'
import type { Texts } from './texts/texts.ts'
import { viewOf } from './view.ts'

/** What a renderer may be made with. */
export interface RendererOptions {
  /** Every sentence of the screens and mails. @defaultValue `en` */
  readonly texts?: Texts | undefined
}

/**
 * Makes a renderer.
 *
 * A screen is rendered by React once for each site and shape; after that a page is the kept text with a visitor's
 * values filled in, escaped.
 */
export function createRenderer({ texts = en }: RendererOptions = {}): Required<Renderer> {
  const sites = new WeakMap<Frame, Site>()
  const siteOf = (frame: Frame): Site => {
    const known = sites.get(frame)
    if (known) return known
    const site = new Site(frame, texts)
    sites.set(frame, site)
    return site
  }
  return {
    page: (page: Page, frame: Frame): string => {
      const { view, values } = outlineOf(viewOf(page, texts))
      return fill(siteOf(frame).template(view), values)
    },
    mail: (mail: SignInMail, frame: Frame): RenderedMail => renderMail(mail, frame, texts),
    asset: (name: string, frame: Frame): Asset | null => siteOf(frame).asset(name)
  }
}

/** The built-in screens and mails in English. */
export const renderer: Required<Renderer> = createRenderer()
