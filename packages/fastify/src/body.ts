import { BodyError, type Fields, parseForm, parseJson } from '@postern/core'
import type { FastifyInstance } from 'fastify'
import { load } from './load.ts'

/** A parser that throws would do so outside the request: what is wrong with a body travels as a field of it. */
function safely(parse: (text: string) => Fields): (text: string) => Record<string, unknown> {
  return (text) => {
    try {
      return parse(text)
    } catch (error) {
      return { failure: error instanceof BodyError ? error : new BodyError(400, 'expected a body of the given type') }
    }
  }
}

/** @throws BodyError what was wrong with the body; a visitor cannot send it, for it is no text. */
export function checkedBody(body: Readonly<Record<string, unknown>>): Fields {
  const { failure } = body
  if (failure instanceof BodyError) throw failure
  return body
}

/** Gives our own routes their own parsers, whatever the application parses with elsewhere. */
export function registerParsers(scope: FastifyInstance, bodyLimit: number): void {
  scope.removeAllContentTypeParsers()
  const formbody: typeof import('@fastify/formbody').default = load('@fastify/formbody')
  scope.register(formbody, { bodyLimit, parser: safely(parseForm) })
  const json = safely(parseJson)
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_request, text, done) => {
    done(null, json(String(text)))
  })
}
