using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class ConfigHistoryTests
{
    [Theory]
    [InlineData("schemastore-catalog", 0.9)]
    [InlineData("kube-prometheus-stack-values", 0.8)]
    [InlineData("ddg-android-config", 0.6)]
    public void Most_of_a_real_document_is_reused_from_one_version_to_the_next(string name, double leastMedian)
    {
        byte[]? previous = null;
        var reused = new List<double>();
        foreach (byte[] version in ConfigHistories.Read(name))
        {
            if (previous is not null)
            {
                var assembly = new ContentAssembly(ContentDigest.Describe(version), previous);
                reused.Add(assembly.ReusedBytes / (double)version.Length);
                foreach (ContentChunk chunk in assembly.Manifest.Chunks)
                {
                    Assert.True(assembly.TryAdd(assembly.Manifest.Chunks.IndexOf(chunk), version.AsSpan(chunk.Offset, chunk.Length)));
                }

                Assert.True(assembly.TryGetValue(out byte[]? value));
                Assert.Equal(ContentDigest.Compute(version), ContentDigest.Compute(value));
            }

            previous = version;
        }

        reused.Sort();
        Assert.True(reused[reused.Count / 2] >= leastMedian, $"the median is {reused[reused.Count / 2]:P0}");
    }
}
