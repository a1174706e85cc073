// Requests as AWS Lambda passes them to a function, and its responses as a browser gets them. The fields and values are those
// of recorded events: events/testdata of aws/aws-lambda-go (apigw-v2-request-no-authorizer, lambda-urls-request,
// apigw-request, alb-lambda-target-request-multivalue-headers).
const stage = { stage: '$default', time: '21/Apr/2020:15:08:21 +0000', timeEpoch: 1_587_481_701_067 }

const forwarded = (client) => ({
  'x-amzn-trace-id': 'Root=1-5e9f0c65-1de4d666d4dd26aced652b6c',
  'x-forwarded-for': client,
  'x-forwarded-port': '443',
  'x-forwarded-proto': 'https'
})

/** The body of a form is base64: API Gateway encodes what is not text or JSON. */
const encode = (body) =>
  body === undefined
    ? { isBase64Encoded: false }
    : { body: Buffer.from(body).toString('base64'), isBase64Encoded: true }

/** Values of one name, joined by commas, as in payloads of version 2. */
function joinQuery(search) {
  const joined = {}
  for (const [name, value] of new URLSearchParams(search))
    joined[name] = name in joined ? `${joined[name]},${value}` : value
  return joined
}

const listAll = (entries) => {
  const lists = {}
  for (const [name, value] of entries) lists[name] = [...(lists[name] ?? []), value]
  return lists
}

const version2 =
  (domainName) =>
  ({ method, url, headers: { cookie, ...headers }, body }, client) => {
    const { pathname, search } = new URL(url, 'https://any.test')
    return {
      version: '2.0',
      routeKey: '$default',
      rawPath: pathname,
      rawQueryString: search.slice(1),
      ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
      headers: { ...headers, ...forwarded(client) },
      ...(search === '' ? {} : { queryStringParameters: joinQuery(search) }),
      requestContext: {
        ...{ accountId: '123456789012', apiId: 'aaaaaaaaaa', domainName, domainPrefix: domainName.split('.')[0] },
        http: { method, path: pathname, protocol: 'HTTP/1.1', sourceIp: client, userAgent: 'curl/7.58.0' },
        ...{ requestId: 'LV7fzho-PHcEJPw=', routeKey: '$default', ...stage }
      },
      ...encode(body)
    }
  }

const toLists = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))

function restApi({ method, url, headers, body }, client) {
  const { pathname, searchParams } = new URL(url, 'https://any.test')
  const all = { ...headers, ...forwarded(client) }
  const lists = listAll(searchParams)
  return {
    resource: '/{proxy+}',
    path: pathname,
    httpMethod: method,
    headers: all,
    multiValueHeaders: toLists(all),
    queryStringParameters: Object.keys(lists).length > 0 ? Object.fromEntries(searchParams) : null,
    multiValueQueryStringParameters: Object.keys(lists).length > 0 ? lists : null,
    pathParameters: { proxy: pathname.slice(1) },
    requestContext: {
      ...{ accountId: '123456789012', resourceId: 'roq9wj', stage: 'testStage', requestId: 'deef4878-7910-11e6-8f14' },
      ...{ resourcePath: '/{proxy+}', httpMethod: method, apiId: 'gy415nuibc', identity: { sourceIp: client } }
    },
    body: null,
    ...encode(body)
  }
}

/** A load balancer passes the query on as it is encoded. */
function loadBalancer({ method, url, headers, body }, client) {
  const { pathname, search } = new URL(url, 'https://any.test')
  const pairs =
    search === ''
      ? []
      : search
          .slice(1)
          .split('&')
          .map((pair) => pair.split('='))
  const { isBase64Encoded, body: encoded = '' } = encode(body)
  return {
    requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/a/b' } },
    httpMethod: method,
    path: pathname,
    multiValueQueryStringParameters: listAll(pairs.map(([name, value]) => [name, value.replaceAll('+', '%20')])),
    multiValueHeaders: toLists({ ...headers, ...forwarded(client) }),
    ...{ body: encoded, isBase64Encoded }
  }
}

/** What passes requests to a function, with the names of events. */
export const sources = {
  'an HTTP API': version2('aaaaaaaaaa.execute-api.us-west-2.amazonaws.com'),
  'a function URL': version2('fcodhubyw.lambda-url.ap-northeast-1.on.aws'),
  'a REST API': restApi,
  'a load balancer with multi-value headers': loadBalancer
}

/** Reads a response as API Gateway and load balancers do. */
export function toAnswer({ statusCode, headers = {}, multiValueHeaders = {}, cookies = [], body, isBase64Encoded }) {
  const lists = { ...toLists(headers), ...multiValueHeaders, ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) }
  const joined = Object.entries(lists).map(([name, values]) => [
    name,
    name === 'set-cookie' ? values.map(String) : values.join(', ')
  ])
  return {
    status: statusCode,
    headers: Object.fromEntries(joined),
    body: isBase64Encoded ? Buffer.from(body, 'base64').toString() : (body ?? '')
  }
}
