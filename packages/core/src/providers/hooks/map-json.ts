type Fields = Readonly<Record<string, unknown>>

/** Transforms the JSON object in a response, whatever its content type; any other response passes unchanged. */
export async function mapJson(response: Response, change: (fields: Fields) => Fields): Promise<Response> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return response
  return Response.json(change({ ...body }), { status: response.status })
}
