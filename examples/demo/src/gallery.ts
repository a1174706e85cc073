import type { Page, PageContext } from '@postern/core'
import { createRenderer, languages, loadTexts, type PagesRenderer, unreadTexts } from '@postern/pages'
import type { FastifyPluginAsync } from 'fastify'
import { type AccountGallery, createAccountGallery } from './account-gallery/account-gallery.ts'
import { siteName } from './app.ts'
import { samples } from './samples.ts'
import { mailHeaders } from './services/inbox.ts'
import { html, type Markup, page, pageHeaders } from './services/markup.ts'

const path = '/screens'
const schemes = ['auto', 'light', 'dark'] as const
const theme = {
  logo: '',
  brandColor: '',
  buttonText: '',
  name: siteName,
  radius: '',
  font: '',
  links: { support: 'help@acme.example' }
}
type Scheme = (typeof schemes)[number]

/** The language and the color scheme of the screens. */
interface Choice {
  readonly language: string
  readonly scheme: Scheme
}

interface Query {
  readonly language?: string
  readonly scheme?: string
}

/** Reads the query; the defaults are English and the browser's color scheme. */
function chosen({ language = '', scheme = '' }: Query): Choice {
  return {
    language: languages.find((candidate) => candidate === language) ?? 'en',
    scheme: schemes.find((candidate) => candidate === scheme) ?? 'auto'
  }
}

const search = ({ language, scheme }: Choice): string => `?language=${language}&scheme=${scheme}`

async function getGallery(now: Choice, ids: readonly string[]): Promise<Markup> {
  const name = new Intl.DisplayNames('en', { type: 'language' })
  const link = (text: string, choice: Choice): Markup =>
    search(choice) === search(now) ? html`<b>${text}</b> ` : html`<a href="${path}${search(choice)}">${text}</a> `
  const language = languages.find((candidate) => candidate === now.language) ?? 'en'
  const unread = unreadTexts(await loadTexts(language)).length
  const frames = ids.map(
    (id) => html`<section><h2><a href="${path}/${id}${search(now)}">${id}</a></h2>
<iframe src="${path}/${id}${search(now)}" title="${id}" loading="lazy"></iframe></section>`
  )
  return html`<h1>Every screen</h1>
<p>${languages.map((tag) => link(name.of(tag) ?? tag, { ...now, language: tag }))}</p>
<p>${schemes.map((scheme) => link(scheme, { ...now, scheme }))}</p>
<p class="quiet">${unread > 0 ? `No speaker has read ${unread} of these texts yet.` : 'A speaker has read every text.'}
<a href="/">Back</a></p>
<div class="screens">${frames}</div>`
}

const sampleHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'self'"
}

const textHeaders = { 'content-type': 'text/plain; charset=utf-8' }

/** The response with a screen or a mail. */
interface Sample {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the gallery shows, by name: screens, and mails as HTML and as text. */
class Gallery {
  readonly #renderer: PagesRenderer
  readonly #pages: Readonly<Record<string, Page>>
  readonly #mails: AccountGallery['mails']

  constructor(renderer: PagesRenderer, { pages, mails }: AccountGallery) {
    this.#renderer = renderer
    this.#pages = { ...samples, ...pages }
    this.#mails = mails
  }

  getNames(): readonly string[] {
    return [...Object.keys(this.#pages), ...Object.keys(this.#mails).flatMap((name) => [name, `${name}-text`])]
  }

  /** @returns `null` if there is nothing with this name. */
  async render(name: string, context: PageContext, language: string): Promise<Sample | null> {
    const preference = { languages: [language] }
    const page = Object.hasOwn(this.#pages, name) ? this.#pages[name] : undefined
    if (page) {
      await this.#renderer.prepare(preference, page)
      return { headers: sampleHeaders, body: this.#renderer.page(page, context, preference) }
    }
    const mailName = name.replace(/-text$/, '')
    const mail = Object.hasOwn(this.#mails, mailName) ? this.#mails[mailName] : undefined
    if (!mail) return null
    const { html, text } = this.#renderer.featureMail(mail, context, preference)
    return name === mailName ? { headers: mailHeaders, body: html } : { headers: textHeaders, body: text }
  }
}

/** A Fastify plugin: all screens, and the mails of the account, under `/screens`, each one under `/screens/<name>`. */
export const gallery: FastifyPluginAsync<{ origin: string }> = async (app, { origin }) => {
  const renderer: PagesRenderer = await createRenderer()
  const shown = new Gallery(renderer, await createAccountGallery(siteName))
  // Each color scheme has its own style sheet, so the samples have their own assets.
  const getPageContext = (colorScheme: Scheme): PageContext => ({
    basePath: path,
    origin,
    siteName,
    siteUrl: origin,
    theme: { ...theme, colorScheme }
  })
  const contexts = schemes.map(getPageContext)

  app.get<{ Querystring: Query }>(path, async ({ query }, reply) =>
    reply.headers(pageHeaders).send(page('Every screen', await getGallery(chosen(query), shown.getNames()), 'full'))
  )
  app.get<{ Params: { name: string }; Querystring: Query }>(`${path}/:name`, async ({ params, query }, reply) => {
    const { language, scheme } = chosen(query)
    const sample = await shown.render(params.name, getPageContext(scheme), language)
    if (!sample) return reply.code(404).send('There is no such screen.')
    return reply.headers(sample.headers).send(sample.body)
  })
  app.get<{ Params: { name: string } }>(`${path}/assets/:name`, async ({ params }, reply) => {
    const [asset] = contexts.flatMap((one) => renderer.asset(params.name, one) ?? [])
    return asset ? reply.type(asset.contentType).send(asset.body) : reply.code(404).send('There is no such file.')
  })
}
