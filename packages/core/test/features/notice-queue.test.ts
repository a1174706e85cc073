import t from 'tap'
import { BackgroundTasks } from '../../src/features/background-tasks.ts'
import { NoticeQueue } from '../../src/features/notice-queue.ts'

/** A promise, and the function that resolves it. */
function createDeferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

// The timers of a queue do not keep the process alive.
const alive = setInterval(() => undefined, 60_000)
t.teardown(() => clearInterval(alive))

/** A logger that keeps what it gets. */
function createLogger() {
  const entries: (readonly [code: string, metadata: unknown])[] = []
  const add = (code: string, metadata?: unknown): void => void entries.push([code, metadata])
  return { entries, warn: add, error: add }
}

/** A notice whose first attempts fail. */
function createNotice(failures: number) {
  const sent = createDeferred<number>()
  let attempts = 0
  const send = async (): Promise<void> => {
    attempts++
    if (attempts <= failures) throw new Error('the mail server is down')
    sent.resolve(attempts)
  }
  return { notice: { name: 'vault/opened', ref: 'r1', send }, sent: sent.promise, getAttempts: () => attempts }
}

t.test('a notice is sent once, in the background', async (t) => {
  const logger = createLogger()
  const queue = new NoticeQueue(logger)
  const { notice, getAttempts } = createNotice(0)
  queue.add(notice)
  t.equal(getAttempts(), 0, 'the caller does not wait')
  await queue.close()
  t.equal(getAttempts(), 1)
  t.same(logger.entries, [])
})

t.test('a notice that could not be sent is sent again', async (t) => {
  const logger = createLogger()
  const queue = new NoticeQueue(logger, [0, 0, 0])
  const { notice, sent } = createNotice(3)
  queue.add(notice)
  t.equal(await sent, 4)
  await queue.close()
  t.same(logger.entries, [])
})

t.test('a notice is given up after the last attempt, and logged', async (t) => {
  const logged = createDeferred<unknown>()
  const queue = new NoticeQueue({ warn: (code, metadata) => logged.resolve([code, metadata]) }, [0, 0])
  const { notice, getAttempts } = createNotice(Number.POSITIVE_INFINITY)
  queue.add(notice)
  t.match(await logged.promise, ['NOTICE_NOT_SENT', { notice: 'vault/opened', ref: 'r1' }])
  t.equal(getAttempts(), 3)
  await queue.close()
})

t.test('a queue that is closed logs the notices that wait', async (t) => {
  const logger = createLogger()
  const queue = new NoticeQueue(logger, [3600])
  const tried = createNotice(1)
  const failed = createDeferred<void>()
  queue.add({
    ...tried.notice,
    send: () => tried.notice.send().finally(() => setImmediate(failed.resolve, undefined))
  })
  await failed.promise
  t.same(logger.entries, [])
  await queue.close()
  t.match(logger.entries, [['NOTICE_NOT_SENT', { notice: 'vault/opened' }]])
  t.equal(tried.getAttempts(), 1)
})

t.test('ten notices are sent at the same time, a thousand wait, and more are given up', async (t) => {
  const logger = createLogger()
  const queue = new NoticeQueue(logger)
  const isUp = createDeferred<void>()
  const sending = { now: 0, most: 0, sent: 0 }
  const send = async (): Promise<void> => {
    sending.now++
    sending.most = Math.max(sending.most, sending.now)
    await isUp.promise
    sending.now--
    sending.sent++
  }
  for (let count = 0; count < 1013; count++) queue.add({ name: 'vault/opened', ref: `r${count}`, send })
  t.match(
    logger.entries.map(([, metadata]) => metadata),
    [{ ref: 'r1010' }, { ref: 'r1011' }, { ref: 'r1012' }]
  )
  t.equal(logger.entries.length, 3)
  isUp.resolve()
  await queue.close()
  t.same(sending, { now: 0, most: 10, sent: 1010 })
})

t.test('an error of a background task is logged with its name', async (t) => {
  const logger = createLogger()
  const tasks = new BackgroundTasks(logger)
  let isDone = false
  tasks.run('features.vault: afterEvent', () => Promise.reject(new Error('no')))
  tasks.run('another', async () => {
    await new Promise((resolve) => setImmediate(resolve))
    isDone = true
  })
  await tasks.finished()
  t.ok(isDone)
  t.match(logger.entries, [['BACKGROUND_TASK_ERROR', { task: 'features.vault: afterEvent' }]])
  t.equal(logger.entries.length, 1)
})
