import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import { html, page, pageHeaders } from '../markup.ts'
import { findPerson, people, picture, picturePath } from './people.ts'

/** Handles the requests that the provider leaves to its owner: the login page, and the pictures of the test users. */
export async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const requested = people.find((person) => picturePath(person) === request.url)
    if (requested) {
      const headers = { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'" }
      response.writeHead(200, headers).end(picture(requested))
    } else if (request.method === 'POST') {
      await finish(provider, request, response)
    } else {
      await showLogin(provider, request, response)
    }
  } catch (error) {
    const isOver = error instanceof errors.OIDCProviderError
    const body = isOver
      ? html`<h1>This sign-in is over</h1><p>Go back to the application and start again.</p>`
      : html`<h1>Something is wrong</h1><p>See the log of the demo for details.</p>`
    if (!isOver) console.error(error)
    response.writeHead(isOver ? 400 : 500, { ...pageHeaders }).end(page('Identity provider', body, 'narrow'))
  }
}

async function showLogin(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, uid } = await provider.interactionDetails(request, response)
  // Consent was given at the client's registration, even if a request asks for it again.
  if (prompt.name !== 'login') {
    return provider.interactionFinished(request, response, { [prompt.name]: {} }, { mergeWithLastSubmission: true })
  }
  const choices = people.map(
    (person) => html`<button name="person" value="${person.id}">
<img src="${picturePath(person)}" alt=""><span>${person.name} <small>${person.email}</small></span>
</button>
`
  )
  const body = html`<h1>Who are you?</h1>
<p class="quiet">The demo's own identity provider. These are test users: no password is required.</p>
<form method="post" action="/interaction/${uid}">
${choices}<button name="cancel" value="yes" class="plain">Cancel</button>
</form>`
  response.writeHead(200, { ...pageHeaders }).end(page('Sign in – identity provider', body, 'narrow'))
}

async function finish(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const interaction = await provider.interactionDetails(request, response)
  const form = await readForm(request)
  const person = findPerson(form.get('person') ?? '')
  if (person && interaction.session && interaction.session.accountId !== person.id) {
    // The provider would show a page with a script before another user can sign in, so the other session ends here.
    await (await provider.Session.findByUid(interaction.session.uid))?.destroy()
    interaction.session = undefined
    await interaction.persist()
  }
  const result = person
    ? { login: { accountId: person.id } }
    : { error: 'access_denied', error_description: 'the visitor cancelled' }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

const maxFormSize = 10_000

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > maxFormSize) throw new errors.InvalidRequest('the form is too long')
  }
  return new URLSearchParams(text)
}
