import type { PageContext, ScreenCode } from '@postern/core'
import type { ReactElement, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Document, type Files } from './document.tsx'
import { Card } from './parts/card.tsx'
import { keepLetters } from './parts/keep-letters.ts'
import { isProblem } from './parts/problem.tsx'
import { builtIn, getScreen, type Screens } from './screens/screens.tsx'
import { passwordScript } from './script/script.ts'
import type { Texts } from './texts/texts.ts'
import type { View } from './view.ts'

export function toMarkup(element: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(element)}`
}

/** @returns The document of a page. One with a password loads the script for it too. */
export function renderDocument(element: ReactElement, { context, texts, files }: Setting): string {
  const markup = keepLetters(toMarkup(element))
  if (files.script === null || !markup.includes('<div class="secret">')) return markup
  const src = `${context.basePath}/assets/${passwordScript.name}`
  const script = <script src={src} defer={true} data-show-password={texts.signIn.showPassword} />
  return markup.replace('</head>', () => `${renderToStaticMarkup(script)}</head>`)
}

/** The context that a page is rendered in. */
export interface Setting {
  readonly context: PageContext
  readonly texts: Texts
  readonly files: Files
}

/** Whether a page with a form says that something went wrong, which its title then does first. */
function showsError(view: View): boolean {
  if (view.name === 'signin') return isProblem(view)
  return view.name === 'verify-request' && (view.isSpent || view.code?.wrong === true)
}

/** The errors of an address that leads nowhere: the page only says so. */
const deadEnds: ReadonlySet<ScreenCode> = new Set(['Verification', 'NotFound'])

function getTitle(view: View, texts: Texts): string {
  if (view.name === 'error' && deadEnds.has(view.error)) return texts.errors[view.error].heading
  const title = view.name === 'signin' && view.stepUp ? texts.stepUp.heading : texts.titles[view.name]
  return showsError(view) ? texts.failed(title) : title
}

function getPage(view: View, setting: Setting, screen: ReactNode): string {
  const { context, texts, files } = setting
  const scripts = view.name === 'signin' ? view.scripts : []
  return renderDocument(
    <Document
      name={view.name}
      title={getTitle(view, texts)}
      context={context}
      texts={texts}
      files={files}
      scripts={scripts}
    >
      {screen}
    </Document>,
    setting
  )
}

/** @returns The whole page with the built-in screen. */
export function renderView(view: View, setting: Setting): string {
  const { context, texts } = setting
  return getPage(view, setting, <Card context={context}>{getScreen(view, context, texts, builtIn)}</Card>)
}

/** @returns The whole page with the application's screen, or `null` if there is none. */
export function renderOwn(view: View, setting: Setting, screens: Screens): string | null {
  const screen = getScreen(view, setting.context, setting.texts, screens)
  return screen && getPage(view, setting, screen)
}
