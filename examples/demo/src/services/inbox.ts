import type { FastifyPluginCallback, FastifyReply } from 'fastify'
import type { Mail } from './mail-server.ts'
import { html, type Markup, page, pageHeaders } from './markup.ts'

export interface InboxOptions {
  /** The mails, oldest first. */
  readonly mails: () => readonly Mail[]
}

/**
 * The sandbox of a mail's frame: only links that the user clicks work.
 *
 * The frame has no origin, so it can access neither cookies nor pages of the application.
 */
const sandbox = 'allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation'

/** The headers of a mail that is shown as HTML: it runs nothing. */
export const mailHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox ${sandbox}`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff'
}

/** A Fastify plugin that shows the mails of the demo's mail server under `/inbox`. */
export const inbox: FastifyPluginCallback<InboxOptions> = (app, { mails }, done) => {
  const find = (id: string): Mail | null => mails().find((mail) => mail.id === id) ?? null

  app.get('/inbox', (_request, reply) => send(reply, 'Inbox', getList(mails().toReversed())))

  app.get<{ Params: { id: string } }>('/inbox/:id', ({ params }, reply) => {
    const mail = find(params.id)
    return mail ? send(reply, mail.subject, getReading(mail)) : send(reply.code(404), 'No such mail', missing)
  })

  app.get<{ Params: { id: string } }>('/inbox/:id/html', ({ params }, reply) => {
    const content = find(params.id)?.html ?? null
    if (content === null) return send(reply.code(404), 'No such mail', missing)
    return reply.headers(mailHeaders).send(openLinksOnTop(content))
  })

  done()
}

function send(reply: FastifyReply, title: string, body: Markup): FastifyReply {
  return reply.headers(pageHeaders).send(page(title, body))
}

const missing = html`<h1>No such mail</h1>
<p>The mail server keeps the last 100 mails, for as long as it runs.</p>
<p><a href="/inbox">Back to the inbox</a></p>`

function getList(mails: readonly Mail[]): Markup {
  const items = mails.map(
    ({ id, subject, to, date }) => html`<li><a href="/inbox/${encodeURIComponent(id)}">${subject || '(no subject)'}</a>
<span class="quiet">to ${to}, ${getClock(date)}</span></li>
`
  )
  return html`<h1>Inbox</h1>
<p class="quiet">Every mail that this demo sends ends here. <a href="/">Back to the demo</a></p>
${items.length > 0 ? html`<ol>${items}</ol>` : html`<p>No mail yet. Sign in by email, then reload this page.</p>`}`
}

function getReading({ id, subject, from, to, date, text, html: content }: Mail): Markup {
  const path = `/inbox/${encodeURIComponent(id)}/html`
  const context = html`<iframe sandbox="${sandbox}" src="${path}" title="The mail, as HTML"></iframe>`
  return html`<p><a href="/inbox">Inbox</a></p>
<h1>${subject || '(no subject)'}</h1>
<dl><dt>From</dt><dd>${from}</dd><dt>To</dt><dd>${to}</dd><dt>Date</dt><dd>${getClock(date)}</dd></dl>
${content === null ? '' : context}
<h2>As plain text</h2>
<pre>${text}</pre>`
}

function getClock(date: Date): string {
  return `${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`
}

/** Makes links in the frame replace the inbox. */
function openLinksOnTop(content: string): string {
  const base = '<base target="_top">'
  const address = /<head\b[^>]*>/i.exec(content) ?? /^\s*<!doctype[^>]*>/i.exec(content)
  const at = address ? address.index + address[0].length : 0
  return content.slice(0, at) + base + content.slice(at)
}
