"""A box and a phone in network namespaces of their own; run in a namespace by ``test_networks.py``.

Booted without any network, then only its own access point, then the home network, then another address there:
each time the code on a screen at the box itself leads the phone to the page.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

PORT = 8080
READ = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())"


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read(where: str, address: str) -> str:
    return run("ip", "netns", "exec", where, sys.executable, "-c", READ, address)


def link_on_screen() -> str:
    """The code on a screen that shows ``localhost``, as a stream would refresh it."""
    told = json.loads(read("box", f"http://localhost:{PORT}/api/v1/pieces?page=lobby"))["pieces"]["way"]
    found = re.search(r"QR code: (http://[^<]*)<", told)
    return found[1] if found else ""


def leads_there(step: str, expected: str) -> None:
    for _ in range(20):
        link = link_on_screen()
        if link.startswith(f"http://{expected}:{PORT}/j/"):
            break
        time.sleep(0.1)
    else:
        raise SystemExit(f"{step}: the screen shows {link!r}")
    if "name" not in read("phone", link):
        raise SystemExit(f"{step}: {link} is not the page")
    print(f"ok: {step}: {link}", flush=True)


def main(folder: str) -> None:
    for place in ("box", "phone"):
        run("ip", "netns", "add", place)
        run("ip", "-n", place, "link", "set", "lo", "up")
    for name in ("wlan", "lan"):
        run("ip", "-n", "box", "link", "add", name, "type", "veth", "peer", "name", name, "netns", "phone")
    serve = ["ip", "netns", "exec", "box", sys.executable, "-m", "companion", "serve", "--json"]
    command = [*serve, "--folder", folder, "--port", str(PORT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            told = json.loads(service.stdout.readline())
            if told["links"] != [f"http://localhost:{PORT}/"] or link_on_screen():
                raise SystemExit(f"without a network nothing leads anywhere, and it says {told}")
            print("ok: booted without a network", flush=True)
            join("wlan", "10.42.0.1/24", "10.42.0.7/24")
            leads_there("its own access point", "10.42.0.1")
            run("ip", "-n", "box", "link", "set", "wlan", "down")
            join("lan", "192.168.1.20/24", "192.168.1.7/24")
            run("ip", "-n", "box", "route", "add", "default", "via", "192.168.1.1")
            leads_there("the home network", "192.168.1.20")
            run("ip", "-n", "box", "address", "flush", "dev", "lan")
            run("ip", "-n", "box", "address", "add", "192.168.1.99/24", "dev", "lan")
            leads_there("another address there", "192.168.1.99")
        finally:
            service.terminate()


def join(name: str, box: str, phone: str) -> None:
    for place, address in (("box", box), ("phone", phone)):
        run("ip", "-n", place, "address", "add", address, "dev", name)
        run("ip", "-n", place, "link", "set", name, "up")


if __name__ == "__main__":
    main(sys.argv[1])
