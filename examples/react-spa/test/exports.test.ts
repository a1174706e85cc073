import * as postern from '@postern/react'
import * as nextAuth from 'next-auth/react'
import t from 'tap'

t.test(
  'everything that next-auth/react exports is exported, and also `configure` and the calls for passkeys',
  async (t) => {
    const names = Object.keys(nextAuth).filter((name) => !['default', 'module.exports', '__esModule'].includes(name))
    t.same(Object.keys(postern).sort(), [...names, 'addPasskey', 'configure', 'signUpWithPasskey'].sort())
  }
)
