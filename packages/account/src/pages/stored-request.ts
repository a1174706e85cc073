import { type FeatureContext, type FeatureRequest, getHeader, type RequestInfo } from '@postern/core/feature'

/** What a mail that is sent later needs of the request that has caused it. */
export type StoredRequest = Pick<RequestInfo, 'origin' | 'client' | 'id'> & {
  readonly acceptLanguage: string | null
  readonly language: string | null
}

export const storeRequest = (request: FeatureRequest): StoredRequest => ({
  origin: request.origin,
  client: request.client,
  id: request.id,
  acceptLanguage: getHeader(request, 'accept-language'),
  language: request.cookies.get('postern.language') ?? null
})

/** The request, as far as it is stored. */
export function toRequestInfo(
  { origin, client, id, acceptLanguage, language }: StoredRequest,
  context: FeatureContext
): RequestInfo {
  return {
    origin: context.origin ?? origin,
    client,
    id,
    headers: acceptLanguage === null ? {} : { 'accept-language': acceptLanguage },
    cookies: new Map(language === null ? [] : [['postern.language', language]])
  }
}
