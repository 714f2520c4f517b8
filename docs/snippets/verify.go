package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// IsGenuine takes the headers by name, as r.Header.Get of a request, and the bytes that came, not JSON that was parsed and
// written again.
func IsGenuine(secret string, header func(name string) string, body []byte) bool {
	timestamp := header("webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	// A recorded request must not be good for ever.
	if err != nil || time.Since(time.Unix(sentAt, 0)).Abs() > tolerance {
		return false
	}
	key := []byte(secret)
	if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
		if key, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			return false
		}
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header("webhook-id") + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// There are two or more while a secret is being changed: one must fit.
	for _, given := range strings.Fields(header("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}
