import type { PosternOptions } from '@postern/core'
import { fromInject } from '@postern/testkit'
import { serveParent } from '@postern/testkit/remote'
import { openInstance } from './instance.ts'

const isOptions = (value: unknown): value is PosternOptions =>
  typeof value === 'object' && value !== null && 'providers' in value

// The other process of a test's applications: what they share is the store that the test gives, in the process of the test.
serveParent(async (options) => {
  if (!isOptions(options)) throw new TypeError('expected the options of an application')
  const app = await openInstance(options)
  return { send: fromInject(app), close: () => app.close() }
})
