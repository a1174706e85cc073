type Fields = Readonly<Record<string, unknown>>

/** Rewrites the JSON object of an answer, whatever content type it says; an answer that is none passes as it is. */
export async function mapJson(answer: Response, change: (fields: Fields) => Fields): Promise<Response> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return answer
  return Response.json(change({ ...body }), { status: answer.status })
}
