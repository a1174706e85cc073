import type { PageContext } from '@postern/core'
import { createRenderer, languages, loadTexts, type PagesRenderer, unreadTexts } from '@postern/pages'
import type { FastifyPluginAsync } from 'fastify'
import { siteName } from './app.ts'
import { samples } from './samples.ts'
import { html, type Markup, page, pageHeaders } from './services/markup.ts'

const path = '/screens'
const schemes = ['auto', 'light', 'dark'] as const
const theme = { logo: '', brandColor: '', buttonText: '', name: siteName, radius: '', font: '' }
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

async function getGallery(now: Choice): Promise<Markup> {
  const name = new Intl.DisplayNames('en', { type: 'language' })
  const link = (text: string, choice: Choice): Markup =>
    search(choice) === search(now) ? html`<b>${text}</b> ` : html`<a href="${path}${search(choice)}">${text}</a> `
  const language = languages.find((candidate) => candidate === now.language) ?? 'en'
  const unread = unreadTexts(await loadTexts(language)).length
  const contexts = Object.keys(samples).map(
    (id) => html`<section><h2><a href="${path}/${id}${search(now)}">${id}</a></h2>
<iframe src="${path}/${id}${search(now)}" title="${id}" loading="lazy"></iframe></section>`
  )
  return html`<h1>Every screen</h1>
<p>${languages.map((tag) => link(name.of(tag) ?? tag, { ...now, language: tag }))}</p>
<p>${schemes.map((scheme) => link(scheme, { ...now, scheme }))}</p>
<p class="quiet">${unread > 0 ? `No speaker has read ${unread} of these texts yet.` : 'A speaker has read every text.'}
<a href="/">Back</a></p>
<div class="screens">${contexts}</div>`
}

const sampleHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'self'"
}

/** A Fastify plugin: all screens under `/screens`, each one under `/screens/<name>`. */
export const gallery: FastifyPluginAsync<{ origin: string }> = async (app, { origin }) => {
  const renderer: PagesRenderer = await createRenderer()
  // Each color scheme has its own style sheet, so the samples have their own assets.
  const getPageContext = (colorScheme: Scheme): PageContext => ({
    basePath: path,
    origin,
    siteName,
    theme: { ...theme, colorScheme }
  })
  const contexts = schemes.map(getPageContext)

  app.get<{ Querystring: Query }>(path, async ({ query }, reply) =>
    reply.headers(pageHeaders).send(page('Every screen', await getGallery(chosen(query)), 'full'))
  )
  app.get<{ Params: { name: string }; Querystring: Query }>(`${path}/:name`, async ({ params, query }, reply) => {
    const sample = Object.hasOwn(samples, params.name) ? samples[params.name] : undefined
    if (!sample) return reply.code(404).send('There is no such screen.')
    const { language, scheme } = chosen(query)
    return reply.headers(sampleHeaders).send(renderer.page(sample, getPageContext(scheme), { languages: [language] }))
  })
  app.get<{ Params: { name: string } }>(`${path}/assets/:name`, async ({ params }, reply) => {
    const [asset] = contexts.flatMap((one) => renderer.asset(params.name, one) ?? [])
    return asset ? reply.type(asset.contentType).send(asset.body) : reply.code(404).send('There is no such file.')
  })
}
