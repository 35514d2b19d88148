using Ripple.Engine.Core;

namespace Ripple.Benchmarks.Core;

/// <summary>A request that counts that it ran.</summary>
internal sealed class CountingRequest : Request
{
    public long Runs { get; private set; }

    protected internal override void Execute() => Runs++;
}
