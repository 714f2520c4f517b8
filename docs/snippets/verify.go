package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// isGenuine needs the bytes of the body as they arrived, not JSON that was parsed and written again.
// Pass r.Header.Get of the request as header.
func isGenuine(secret string, header func(name string) string, body []byte) bool {
	timestamp := header("webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	// A recorded request must expire.
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
	// During a rotation there are two signatures: one must match.
	for _, given := range strings.Fields(header("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil || !isGenuine(os.Getenv("SECRET"), r.Header.Get, body) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Println("refused: the signature does not match SECRET. Paste the line that begins with eval, and start again")
		return
	}
	// Here: store it under its webhook-id, once. Then respond, and do the work afterwards.
	w.WriteHeader(http.StatusNoContent)
	var event struct {
		Event    string
		Metadata struct{ EventID string }
	}
	if json.Unmarshal(body, &event) == nil {
		fmt.Println(event.Event, event.Metadata.EventID)
	}
}

func main() {
	if os.Getenv("SECRET") == "" {
		log.Fatal("Set SECRET to the webhookSecret of the registration.")
	}
	port := os.Getenv("RECEIVER_PORT")
	if port == "" {
		port = "4000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatalf("%v. Set RECEIVER_PORT to another port in every terminal, or stop the receiver that uses it.", err)
	}
	fmt.Println("Listening on port " + port)
	log.Fatal(http.Serve(listener, http.HandlerFunc(receive)))
}
