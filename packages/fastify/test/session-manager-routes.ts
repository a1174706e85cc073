import type { FastifyInstance } from 'fastify'

/** The routes of an application with a list of devices. */
export function setUp(app: FastifyInstance): void {
  app.get('/others', async (request) => {
    await app.postern.sessions.revokeOthers(request)
    return {}
  })
  app.get<{ Params: { user: string }; Querystring: { limit?: string } }>('/devices/:user', async (request) => {
    const { limit } = request.query
    return app.postern.sessions.list(request.params.user, request, limit === undefined ? {} : { limit: Number(limit) })
  })
}
