import type { Frame } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Document, type Files } from './document.tsx'
import { Card } from './parts/card.tsx'
import { builtIn, type Screens, screenOf } from './screens/screens.tsx'
import type { Texts } from './texts/texts.ts'
import type { View } from './view.ts'

export function toMarkup(element: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(element)}`
}

/** What a page is rendered with, beside what is on it. */
export interface Setting {
  readonly frame: Frame
  readonly texts: Texts
  readonly files: Files
}

function pageOf(view: View, { frame, texts, files }: Setting, screen: ReactNode): string {
  return toMarkup(
    <Document name={view.name} frame={frame} texts={texts} files={files}>
      {screen}
    </Document>
  )
}

/** @returns The whole page, as we draw it. */
export function renderView(view: View, setting: Setting): string {
  const { frame, texts } = setting
  return pageOf(view, setting, <Card frame={frame}>{screenOf(view, frame, texts, builtIn)}</Card>)
}

/** @returns The whole page as the application draws it, or `null` where it does not. */
export function renderOwn(view: View, setting: Setting, screens: Screens): string | null {
  const screen = screenOf(view, setting.frame, setting.texts, screens)
  return screen && pageOf(view, setting, screen)
}
