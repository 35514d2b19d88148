using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Says of every signature what the test wants; at once, or when the test says so.</summary>
internal sealed class FakeVerifier : ISignatureVerifier
{
    /// <summary>What it says of every signature.</summary>
    public bool IsBelieving { get; set; } = true;

    /// <summary>True: questions wait in <see cref="Asked"/>, and nothing is known without one.</summary>
    public bool IsLate { get; set; }

    public List<(Digest160 Id, Action<bool> Answer)> Asked { get; } = [];

    public List<byte[]> Signers { get; } = [];

    public bool IsVerified(ReleaseSignature signature, in Digest160 id) => IsBelieving && !IsLate;

    public void Verify(ReleaseSignature signature, Digest160 id, Action<bool> done)
    {
        if (IsLate)
        {
            Asked.Add((id, done));
        }
        else
        {
            done(IsBelieving);
        }
    }

    public bool TryAddSigner(ReadOnlyMemory<byte> certificate)
    {
        Signers.Add(certificate.ToArray());
        return true;
    }
}
