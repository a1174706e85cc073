import { BodyError, type Fields, parseForm, parseJson } from '@postern/core'
import type { FastifyInstance } from 'fastify'
import { load } from './load.ts'

/** A parser that throws does so outside the request, so a parse error is passed on as a field of the body. */
function safely(parse: (text: string) => Fields): (text: string) => Record<string, unknown> {
  return (text) => {
    try {
      return parse(text)
    } catch (error) {
      return { failure: error instanceof BodyError ? error : new BodyError(400, 'expected a body of the given type') }
    }
  }
}

/**
 * @throws BodyError the parse error of the body. A client cannot forge one, because a parsed field is never a
 * `BodyError`.
 */
export function checkedBody(body: Readonly<Record<string, unknown>>): Fields {
  const { failure } = body
  if (failure instanceof BodyError) throw failure
  return body
}

/** Registers the parsers of Postern's routes, which do not depend on the application's parsers. */
export function registerParsers(scope: FastifyInstance, bodyLimit: number): void {
  scope.removeAllContentTypeParsers()
  const formbody: typeof import('@fastify/formbody').default = load('@fastify/formbody')
  scope.register(formbody, { bodyLimit, parser: safely(parseForm) })
  const json = safely(parseJson)
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_request, text, done) => {
    done(null, json(String(text)))
  })
}
