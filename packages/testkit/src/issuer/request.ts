/** A request as the issuer received it. */
export interface IssuerRequest {
  readonly url: string
  readonly method: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export async function readRequest(url: string, init: RequestInit): Promise<IssuerRequest> {
  const request = new Request(url, init)
  return {
    url: request.url,
    method: request.method,
    headers: Object.fromEntries(request.headers),
    body: await request.text()
  }
}
