/** A certificate for localhost that no one vouches for, and its key: worth nothing outside of tests. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPaK08HF9/XKOPP9m
uJo8vvftc5SpbJmVr2TvH+BinUmhRANCAAQlQlZwuQ0nlh1wXxs6Uuu6G9YRweNN
sh/nsAUJ0jz/PIx0oTz4JUZhDJh1hidgcUwWzXFP9u7+v7BJuO05dwlW
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUMiNtoJ627gKZkoqoWEKcmU3oFcswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEyMjcxMFoYDzIxMjYxMDI4
MTIyNzEwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQlQlZwuQ0nlh1wXxs6Uuu6G9YRweNNsh/nsAUJ0jz/PIx0oTz4JUZh
DJh1hidgcUwWzXFP9u7+v7BJuO05dwlWo28wbTAdBgNVHQ4EFgQU9dyvVLssHzfh
q/SaM112xXLkcb0wHwYDVR0jBBgwFoAU9dyvVLssHzfhq/SaM112xXLkcb0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAJnyDdWJjGSYdReCckZec/GAHsm7m04uHBn4CJOnl1UNAiEA
sfg02wmhAcV1+vH1sc+6NAu+bk9qWl/MCL/whEqdTfM=
-----END CERTIFICATE-----`
}
