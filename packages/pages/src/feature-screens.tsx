import {
  type FeaturePage,
  type FeatureScreen,
  type Logger,
  type PlainScreen as PlainForm,
  serializeError
} from '@postern/core'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Document } from './document.tsx'
import { Button, LinkButton } from './parts/button.tsx'
import { Card } from './parts/card.tsx'
import { Field } from './parts/field.tsx'
import { Form } from './parts/form.tsx'
import { Heading } from './parts/heading.tsx'
import { hasProblem } from './parts/notice.tsx'
import { renderDocument, type Setting } from './render.tsx'
import { safeLink } from './safe-link.ts'
import type { Screens } from './screens/screens.tsx'
import type { Texts } from './texts/texts.ts'
import type { FeatureScreenProps } from './view.ts'

type Component = ComponentType<FeatureScreenProps>

function isComponent(value: unknown): value is Component {
  return typeof value === 'function'
}

/** Separates the application's screens for features from those that replace built-in screens. */
export function splitScreens(all: Screens): {
  readonly screens: Screens
  readonly featureScreens: ReadonlyMap<string, Component>
} {
  const featureScreens = Object.entries(all).flatMap(([name, screen]) =>
    name.includes('/') && isComponent(screen) ? [[name, screen] as const] : []
  )
  const screens = Object.fromEntries(Object.entries(all).filter(([name]) => !name.includes('/')))
  return { screens, featureScreens: new Map(featureScreens) }
}

/** @returns The texts of a feature in a language; those that it lacks are in the base language, otherwise in English. */
export function getFeatureTexts(
  texts: FeaturePage['texts'],
  { lang, variant = lang }: Pick<Texts, 'lang' | 'variant'>
): OwnTexts {
  return { ...texts.en, ...texts[lang.split('-', 1)[0] ?? ''], ...texts[variant] }
}

/** Renders the screens of features, whose components are loaded on first use. */
export class FeatureScreens {
  readonly #own: ReadonlyMap<string, Component>
  readonly #logger: Pick<Logger, 'error'>
  readonly #loaded = new WeakMap<FeatureScreen, Component>()

  /** @param own - The application's components, by `feature/screen`. */
  constructor(own: ReadonlyMap<string, Component>, logger: Pick<Logger, 'error'>) {
    this.#own = own
    this.#logger = logger
  }

  /** Loads the component; returns `null` if it is already loaded. */
  prepare(screen: FeatureScreen): Promise<void> | null {
    if (this.#loaded.has(screen)) return null
    return screen.component().then(
      (component) => {
        if (isComponent(component)) this.#loaded.set(screen, component)
      },
      (error: unknown) => this.#logger.error('SCREEN_ERROR', { screen: screen.name, ...serializeError(error) })
    )
  }

  /** Renders the page with the application's component or the feature's; if it fails, as a plain form. */
  render(page: FeaturePage, setting: Setting): string {
    const texts = getFeatureTexts(page.texts, setting.texts)
    const { props, csrfToken } = page
    for (const Component of [this.#own.get(page.id), this.#loaded.get(page.screen)]) {
      if (!Component) continue
      try {
        const screen = <Component props={props} texts={texts} csrfToken={csrfToken} context={setting.context} />
        return toPage(page, texts, setting, screen)
      } catch (error) {
        this.#logger.error('SCREEN_ERROR', { screen: page.id, ...serializeError(error) })
      }
    }
    return toPage(page, texts, setting, <PlainScreen page={page} texts={texts} />)
  }
}

type OwnTexts = Readonly<Record<string, string>>

function toPage({ screen, scripts }: FeaturePage, own: OwnTexts, setting: Setting, content: ReactNode): string {
  const title = own[screen.title] ?? screen.name
  const markup = renderDocument(
    <Document name="feature" width={screen.width} title={title} {...setting} scripts={scripts}>
      <Card context={setting.context} linksHome={true}>
        {content}
      </Card>
    </Document>,
    setting
  )
  if (!hasProblem(markup)) return markup
  const [plain, failed] = [title, setting.texts.failed(title)].map((text) =>
    renderToStaticMarkup(<title>{text}</title>)
  )
  return markup.replace(plain ?? '', () => failed ?? '')
}

interface PlainFieldProps {
  readonly field: NonNullable<PlainForm['form']>['fields'][number]
}

function PlainField({ field: { name, label, type, value } }: PlainFieldProps): ReactElement {
  if (type === 'hidden') return <input type="hidden" name={name} value={value} />
  const input = { name, type, defaultValue: value }
  return <Field id={`input-${name}`} label={label} isExplained={false} isWrong={false} input={input} />
}

interface PlainScreenProps {
  readonly page: FeaturePage
  readonly texts: OwnTexts
}

function PlainScreen({ page: { screen, props, csrfToken }, texts }: PlainScreenProps): ReactElement {
  const { text, links = [], form } = screen.plain(props, texts)
  return (
    <>
      <Heading text={texts[screen.title] ?? screen.name} />
      <p className="lead">{text}</p>
      {links.length > 0 && (
        <div className="stack">
          {links.map(({ label, href }) => (
            <LinkButton key={href} label={label} href={safeLink(href)} kind="plain" />
          ))}
        </div>
      )}
      {form && (
        <Form action={form.action} fields={{ csrfToken }}>
          {form.fields.map((field) => (
            <PlainField key={field.name} field={field} />
          ))}
          <Button label={form.submit} />
        </Form>
      )}
    </>
  )
}
