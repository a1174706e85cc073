import type { FastifyInstance } from 'fastify'

/** The routes of an application with a list of devices. */
export function setUp(app: FastifyInstance): void {
  app.get('/others', async (request) => {
    await app.postern.sessions.revokeOthers(request)
    return {}
  })
  app.get<{ Params: { user: string } }>('/devices/:user', async (request) =>
    app.postern.sessions.list(request.params.user, request)
  )
}
