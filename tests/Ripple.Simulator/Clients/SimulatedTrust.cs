using Ripple.Trust;

namespace Ripple.Simulator.Clients;

/// <summary>
/// The authority's certificate in simulations: always the same bytes, since a new one would make no two runs equal. Nothing is signed with
/// its key; signatures are <see cref="Signatures.SimulatedAuthority"/>'s.
/// </summary>
internal static class SimulatedTrust
{
    private const string Der =
        "MIIByzCCAXGgAwIBAgIUBr5hooQNsHPG1gz7qzJUohvZsB0wCgYIKoZIzj0EAwIwOjE4MDYGA1UEAwwvUmlwcGxlIGNsdXN0ZXIgMDAwMDAw"
        + "MDAwMDAwMDAwMTAwMDAwMDAwMDAwMDAwMDIwIBcNMjYxMTIyMTczNTIxWhgPMjEyNjEwMjkxNzM1MjFaMDoxODA2BgNVBAMML1JpcHBsZSBj"
        + "bHVzdGVyIDAwMDAwMDAwMDAwMDAwMDEwMDAwMDAwMDAwMDAwMDAyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfyg7uXWhMvTvo+T0uhtf"
        + "QziDOqRewAXLGUhShZj+F7QGi7p4NEO00RPsU3ZADYSshEzBQ8mqGb/5BwjG4vcmBKNTMFEwHQYDVR0OBBYEFIdbL5nHTJrBCyJFEqQtUX1f"
        + "xnrRMB8GA1UdIwQYMBaAFIdbL5nHTJrBCyJFEqQtUX1fxnrRMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgMP+e1pEP5DFN"
        + "aoJ/3vEOWBB52n9HY3zZOjhqe4A82XsCIQCXBQhhrWGM5d+uJH0TdKedWgolbHcVB5oJry8k07lBVw==";

    /// <summary>The authority.</summary>
    public static AuthorityTrust Authority { get; } = AuthorityTrust.FromDer(Convert.FromBase64String(Der))
        ?? throw new InvalidOperationException("The certificate is not an authority's.");

    /// <summary>The text of a connection string to the host of this name. Its token file is never read: links prove the machine.</summary>
    public static string ConnectionTo(string host) =>
        $"Endpoints={host}:7400;Authority=sha256:{Convert.ToHexStringLower(Authority.Fingerprint.Span)};TokenFile=/simulated";
}
