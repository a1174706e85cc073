export type { ErrorClasses } from './remote/errors.ts'
export { serveParent } from './remote/serve.ts'
export { type RemoteProcess, startProcess, whyNot } from './remote/start.ts'
export { type Callable, CannotCross, notice } from './remote/wire.ts'
