import formbody from '@fastify/formbody'
import { BodyError, type Fields, parseForm, parseJson } from '@postern/core'
import type { FastifyInstance } from 'fastify'

/** A parser that throws would do so outside the request: what is wrong with the body travels as the body. */
function safely(parse: (text: string) => Fields): (text: string) => Fields | BodyError {
  return (text) => {
    try {
      return parse(text)
    } catch (error) {
      return error instanceof BodyError ? error : new BodyError(400, 'expected a body of the given type')
    }
  }
}

/** Gives our own routes their own parsers, whatever the application parses with elsewhere. */
export async function registerParsers(scope: FastifyInstance, bodyLimit: number): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(formbody, { bodyLimit, parser: (text) => ({ ...safely(parseForm)(text) }) })
  const json = safely(parseJson)
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_request, text, done) => {
    done(null, json(String(text)))
  })
}
