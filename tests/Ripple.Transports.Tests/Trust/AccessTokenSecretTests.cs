using Ripple.Trust;

namespace Ripple.Transports.Tests.Trust;

public sealed class AccessTokenSecretTests
{
    [Fact]
    public void Token_survives_its_text_and_matches_its_own_hash_only()
    {
        var token = AccessTokenSecret.New();
        Assert.True(AccessTokenSecret.TryParse(token.Reveal(), out AccessTokenSecret? read));
        Assert.True(read!.Matches(token.Hash.Span));
        Assert.False(read.Matches(AccessTokenSecret.New().Hash.Span));
        Assert.False(read.Matches([]));
        Assert.Equal($"{token.Id}.***", read.ToString());
    }

    [Fact]
    public void Anything_else_is_not_a_token()
    {
        string good = AccessTokenSecret.New().Reveal();
        string?[] allBad =
        [
            null,
            "",
            good[1..],
            good[..^1],
            good + "A",
            good.Replace('.', '-'),
            "G" + good[1..],
            good[..^1] + "=",
            good[..^1] + " ",
        ];
        foreach (string? bad in allBad)
        {
            Assert.False(AccessTokenSecret.TryParse(bad, out _), bad);
        }
    }
}
