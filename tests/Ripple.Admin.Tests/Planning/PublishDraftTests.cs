using Ripple.Admin.Contracts;
using Ripple.Admin.Planning;

namespace Ripple.Admin.Tests.Planning;

/// <summary>What is gathered is one release, or it is said why not.</summary>
public sealed class PublishDraftTests
{
    private readonly PublishDraft _draft = new("orders");

    [Fact]
    public void Changes_become_one_request()
    {
        _draft.Set("a.json", "{}");
        _draft.Set("b", [1, 2]);
        _draft.Remove("c");

        PublishRequest request = _draft.ToRequest("why");

        Assert.Equal([("a.json", "{}", (byte[]?)null), ("b", null, [1, 2])], request.Set.Select(s => (s.Key, s.Text, s.Bytes)));
        Assert.Equal(["c"], request.Remove);
        Assert.Equal("why", request.Note);
        Assert.Equal(3, _draft.Count);
    }

    [Fact]
    public void A_key_is_changed_once()
    {
        _draft.Set("a", "1");

        var failure = Assert.Throws<RippleAdminException>(() => _draft.Remove("a"));

        Assert.Equal(ProblemCodes.InvalidRequest, failure.Code);
        Assert.Contains("'a' of 'orders' is given twice", failure.Message, StringComparison.Ordinal);
        Assert.Equal(1, _draft.Count);
    }

    [Fact]
    public void Keys_are_compared_with_case()
    {
        _draft.Set("a", "1");
        _draft.Set("A", "2");

        Assert.Equal(2, _draft.ToRequest("").Set.Count);
    }

    [Fact]
    public void More_keys_than_a_release_may_change_are_refused()
    {
        for (int i = 0; i < AdminLimits.ChangesMax; i++)
        {
            _draft.Remove($"k{i}");
        }

        Assert.Equal(ProblemCodes.TooLarge, Assert.Throws<RippleAdminException>(() => _draft.Remove("one more")).Code);
    }

    [Fact]
    public void A_value_of_more_bytes_than_allowed_is_refused() =>
        Assert.Equal(
            ProblemCodes.TooLarge,
            Assert.Throws<RippleAdminException>(() => _draft.Set("a", new byte[AdminLimits.ValueBytesMax + 1])).Code);

    [Fact]
    public void Bytes_are_counted_over_all_values_as_utf8()
    {
        _draft.Set("a", new byte[AdminLimits.PublishBytesMax - 3]);

        Assert.Equal(ProblemCodes.TooLarge, Assert.Throws<RippleAdminException>(() => _draft.Set("b", "\u00fc\u00fc")).Code);
        _draft.Set("c", "\u00fcx");
    }
}
